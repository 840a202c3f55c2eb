export class StoreNotEmpty extends Error {
  override readonly name = 'StoreNotEmpty';
}
