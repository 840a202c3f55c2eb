/** `block` needs a person's decision; `flag` only asks one to look. */
export interface Finding {
  readonly rule: string;
  readonly level: 'block' | 'flag';
  /** Which part of the ad, as the API names it. */
  readonly field: string;
  readonly message: string;
}
