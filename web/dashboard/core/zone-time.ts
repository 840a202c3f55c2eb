/** The instant of the API (UTC) as a date-time field shows it in a zone: 'YYYY-MM-DDTHH:mm'. */
export function toField(iso: string | null | undefined, zone: string): string {
  if (iso === null || iso === undefined || iso === '') return '';
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(at.getTime()) ? '' : wallClock(at.getTime(), zone);
}

/** What a date-time field holds, meant in a zone, as an instant. */
export function fromField(text: string, zone: string): string {
  const meant = Date.parse(`${text}Z`);
  let at = meant;
  // Twice: the first guess may lie on the other side of a clock change.
  for (let turn = 0; turn < 2; turn += 1)
    at = meant - (Date.parse(`${wallClock(at, zone)}Z`) - Math.floor(at / 60_000) * 60_000);
  return new Date(at).toISOString();
}

function wallClock(at: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}
