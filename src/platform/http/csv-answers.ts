import { isRecord } from '../../domain/is-record.js';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preSerializationHookHandler,
} from 'fastify';
import { csvLine, type CsvValue } from '../../domain/csv.js';

export interface CsvRows {
  list?: string;
  series?: string;
  /** A member of each row whose own members become columns. */
  spread?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The list of the answer that `Accept: text/csv` asks for, and the list inside its entries when
     * that holds the rows. Without a list the answer is one row.
     */
    csv?: CsvRows;
  }
}

/**
 * Makes every route with a `csv` config that is added from now on answer `Accept: text/csv`: the
 * same rows, the columns its response schema names or the rows have. Other routes pass nothing of this.
 */
export function csvAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.csv === undefined) return;
    route.onSend = [...[route.onSend ?? []].flat(), varyByAccept];
    route.preSerialization = [...[route.preSerialization ?? []].flat(), answerCsv];
  });
}

const varyByAccept: onSendHookHandler = (_request, reply, payload, done) => {
  void reply.header('vary', 'accept');
  done(null, payload);
};

const answerCsv: preSerializationHookHandler = (request, reply, payload, done) => {
  const { csv } = request.routeOptions.config;
  if (csv === undefined || reply.statusCode !== 200 || !wantsCsv(request) || !isRecord(payload))
    return done(null, payload);
  const rows = rowsOf(payload, csv).map((row) => spreadOut(row, csv.spread));
  const named = columnsOf(request, csv);
  const columns = [
    ...(named.length > 0 ? named : plainColumns(rows)),
    ...spreadColumns(rows, csv.spread),
  ];
  const lines = rows.map((row) => csvLine(columns.map((column) => cell(row[column]))));
  csvReply(reply, request.routeOptions.url ?? 'report').serializer(String);
  linkNext(request, reply, nextPage(payload));
  return done(null, csvLine(columns) + lines.join(''));
};

/** Whether CSV is asked for at least as much as JSON. */
export function wantsCsv(request: Pick<FastifyRequest, 'headers'>): boolean {
  const weights = new Map<string, number>();
  for (const entry of (request.headers.accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = Number(
      parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1,
    );
    weights.set(type, Number.isNaN(weight) ? 0 : weight);
  }
  const csv = weights.get('text/csv') ?? 0;
  return csv > 0 && csv >= (weights.get('application/json') ?? 0);
}

/** Headers of a download named after the report. */
export function csvReply(reply: FastifyReply, url: string): FastifyReply {
  const name = url
    .split('/')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .slice(1)
    .join('-');
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`);
}

/**
 * Where the rest of a list is, for formats that have no room to say it: the same address with other
 * parameters.
 */
export function linkNext(
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: Record<string, string> | null,
): void {
  if (parameters === null) return;
  const [path = '', query = ''] = request.url.split('?');
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) next.set(name, value);
  void reply.header('link', `<${path}?${next.toString()}>; rel="next"`);
}

/** Our lists go on by cursor or by page. */
function nextPage(payload: Record<string, unknown>): Record<string, string> | null {
  if (typeof payload['next_cursor'] === 'string') return { cursor: payload['next_cursor'] };
  return payload['has_more'] === true && typeof payload['page'] === 'number'
    ? { page: String(payload['page'] + 1) }
    : null;
}

type Schema = {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};

/** The columns of a list of objects: its plain members, without the totals its rows add up to. */
function columnsOf(request: FastifyRequest, { list, series }: CsvRows): string[] {
  // Response schemas are TypeBox objects; only their structure is read.
  const schema = (
    request.routeOptions.schema?.response as Record<number, Schema> | undefined
  )?.[200];
  const outer = list === undefined ? schema : schema?.properties?.[list]?.items;
  if (series === undefined) return plainMembers(outer);
  const inner = plainMembers(outer?.properties?.[series]?.items);
  return [
    ...plainMembers(outer).filter((name) => !inner.includes(name) && !name.startsWith('total_')),
    ...inner,
  ];
}

/** Where the schema leaves open what a row holds, the rows themselves say it. */
function plainColumns(rows: readonly Record<string, unknown>[]): string[] {
  const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
  return [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isPlain(row[name]))))];
}

function plainMembers(schema: Schema | undefined): string[] {
  const isPlain = (one: Schema): boolean =>
    one.anyOf === undefined
      ? one.type !== 'array' && one.type !== 'object'
      : one.anyOf.every(isPlain);
  return Object.entries(schema?.properties ?? {})
    .filter(([, one]) => isPlain(one))
    .map(([name]) => name);
}

function rowsOf(
  payload: Record<string, unknown>,
  { list, series }: CsvRows,
): Record<string, unknown>[] {
  const outer = list === undefined ? [payload] : recordsOf(payload[list]);
  return series === undefined
    ? outer
    : outer.flatMap((entry) => recordsOf(entry[series]).map((row) => ({ ...entry, ...row })));
}

/** Members that people named themselves, such as the answers to a form, each get a column. */
function spreadOut(
  row: Record<string, unknown>,
  member: string | undefined,
): Record<string, unknown> {
  const inner = member === undefined ? undefined : row[member];
  return isRecord(inner)
    ? {
        ...row,
        ...Object.fromEntries(
          Object.entries(inner).map(([name, value]) => [`${member}.${name}`, value]),
        ),
      }
    : row;
}

function spreadColumns(
  rows: readonly Record<string, unknown>[],
  member: string | undefined,
): string[] {
  return member === undefined
    ? []
    : [
        ...new Set(
          rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith(`${member}.`))),
        ),
      ];
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** What has members of its own, such as the parameters of a campaign's links, is shown as JSON. */
function cell(value: unknown): CsvValue {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;
}
