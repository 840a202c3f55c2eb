/** Somebody has the journal and does not store it. */
export class UnsettledCorner extends Error {
  override readonly name = 'UnsettledCorner';
  constructor(corner: string) {
    super(
      `what the process of ${corner} acknowledged is not stored yet, and it does not go on storing it: end that process, and this is done without it`,
    );
  }
}
