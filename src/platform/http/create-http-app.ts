import { randomUUID } from 'node:crypto';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Ajv, type ValidateFunction } from 'ajv';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { isTooDeep } from '../../domain/text/json-depth.js';
import { unstorablePlaces } from '../../domain/text/unstorable.js';
import { AppError } from '../errors.js';
import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { type CompileLater, createCompileLater } from './compile-later.js';
import { datePairs } from './date-pairs.js';
import { dropNulls } from './drop-nulls.js';
import { knowFixedFields } from './fixed-field.js';
import { errorReply } from './error-reply.js';
import { sendNotFoundPage, wantsPage } from './not-found-page.js';
import { queryBooleans } from './query-booleans.js';
import { trackRoutes } from './route-list.js';
import { refuseConnection } from './refuse-connection.js';
import { hasBody, shedBody, shedHead } from './admission.js';
import { lineOf, type WorkTurns } from './work-turns.js';
import { editsNothing, namesIn, slipFinder } from './slips.js';
import type { AjvProblem } from './validation-problems.js';
import { withNullables } from './nullable-schemas.js';

export interface HttpAppOptions {
  log: Log;
  metrics: Metrics;
  /** When what was sent is looked at; at once by default. */
  turns?: WorkTurns;
  /** An ad, beacon or search that waited longer for its turn is turned away: its caller has left. */
  mostWaitMs?: number;
  onShed?: () => void;
  /**
   * An already created server whose requests are handed to the returned handler; absent in tests,
   * which inject.
   */
  serverFor?: (handler: RequestListener) => Server;
}

/** Answers a request before the framework sees it and says so, or leaves it alone. */
export type Front = (request: IncomingMessage, response: ServerResponse) => boolean;

declare module 'fastify' {
  interface FastifyInstance {
    /** Compiles schemas nobody has used yet, one by one beside everything else. */
    compileAhead(): void;
    /** Compiles all of them now: a bench would measure it otherwise. */
    compileNow(): void;
    /** Goes on when it is the request's turn, or with what it is refused with. */
    inTurn: TakeTurn;
    /** The check a body of this schema has to pass, for who answers before the framework. */
    bodyCheck(schema: object): (body: unknown) => boolean;
    /** The text an answer of this schema goes out as. */
    answerText(schema: object): (answer: unknown) => string;
  }
  interface FastifyContextConfig {
    /** Status of a failed validation where it is not 422: publisher reports say 400. */
    validationStatus?: 400;
    /** Left out of the request log: probes that would drown it. */
    quiet?: boolean;
  }
}

export const bodyLimitBytes = 1024 * 1024;
const byteOrderMark = 0xfeff;

/** Fastify with our validation, error shape, request ids and logs. Surfaces add routes to it. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { serverFor } = options;
  const later = createCompileLater();
  const app = fastify<Server>({
    logger: false,
    bodyLimit: bodyLimitBytes,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    ...(serverFor === undefined ? {} : { serverFactory: (handler) => serverFor(handler) }),
    schemaController: { compilersFactory: { buildSerializer: serializersWhenAsked(later) } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    clientErrorHandler: refuseConnection,
    frameworkErrors: (error, request, reply) => {
      void errorReply(error, request, reply, options.log);
    },
  });
  acceptBodies(app);
  const bodyCheck = useValidation(app, later);
  app.decorate('bodyCheck', bodyCheck);
  app.decorate('answerText', (schema) => textOf(later, schema));
  let stopCompiling = (): void => undefined;
  app.decorate('compileAhead', () => {
    stopCompiling = later.start();
  });
  app.decorate('compileNow', () => later.finish());
  app.addHook('onClose', async () => stopCompiling());
  const inTurn = turnTaker(options);
  app.decorate('inTurn', inTurn);
  app.addHook('preValidation', (request, reply, done) => {
    if (!hasBody(request.raw)) return done();
    inTurn(request.raw, reply.raw, done, () => {
      // Not as an error, which costs a good part of an answer.
      reply.hijack();
      turnAway(reply.raw, request.id);
    });
  });
  const routes = trackRoutes(app);
  app.setErrorHandler((error, request, reply) => errorReply(error, request, reply, options.log));
  app.setNotFoundHandler((request, reply) => {
    const allowed = routes.methodsOf((request.url.split('?')[0] ?? '').replace(/(?<=.)\/$/, ''));
    if (allowed.length > 0) void reply.header('allow', allowed.join(', '));
    if (allowed.length === 0 && wantsPage(request)) return sendNotFoundPage(reply);
    throw new AppError(allowed.length > 0 ? 'method_not_allowed' : 'route_not_found');
  });
  observe(app, options);
  return app;
}

/** Calls `work` when it is its turn, or `refused` when that came too late. */
type TakeTurn = (
  request: IncomingMessage,
  response: ServerResponse,
  work: () => void,
  refused: () => void,
) => void;

/** Work for what was sent begins in its turn, once all of it is there. */
function turnTaker({ turns, mostWaitMs = Infinity, onShed }: HttpAppOptions): TakeTurn {
  if (turns === undefined) return (_request, _response, work) => work();
  return (request, response, work, refused) => {
    const line = lineOf(request);
    turns.run(
      (waitedMs) => {
        // Who left meanwhile waits for nothing, and nothing is stored for them.
        if (response.destroyed) return;
        // An ad is for nobody by then, an edit is still meant.
        if (waitedMs <= mostWaitMs || line === 'people') return work();
        onShed?.();
        refused();
      },
      line,
      line === 'traffic' ? 'expires' : 'waits',
    );
  };
}

/** Tells somebody whose turn came too late. */
export function turnAway(response: ServerResponse, requestId: string): void {
  response.writeHead(503, [...shedHead, 'x-request-id', requestId]).end(shedBody);
}

/**
 * JSON in any common dress: beacons send text/plain, bodiless PATCH and DELETE come with or without
 * a type.
 */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = (
    request: FastifyRequest,
    body: string | Buffer,
    done: (error: Error | null, value?: unknown) => void,
  ): void => {
    // Some clients put a byte order mark in front of what they send.
    const sent = String(body);
    const text = sent.charCodeAt(0) === byteOrderMark ? sent.slice(1) : sent;
    if (isEmpty(text)) return done(null, undefined);
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
      return done(new AppError('unsupported_media_type'));
    if (isTooDeep(text)) return done(new AppError('invalid_request'));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return done(new AppError('malformed_json'));
    }
    return done(null, value);
  };
  app.addContentTypeParser(
    /^(application\/(.+\+)?json|text\/plain)(;|$)/i,
    { parseAs: 'string' },
    parse,
  );
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (String(body).trim() === '') return done(null, undefined);
    if (request.headers['content-type'] === undefined) return parse(request, body, done);
    return done(new AppError('unsupported_media_type'));
  });
}

/** A text that begins with a brace is not trimmed to learn that it is not empty. */
function isEmpty(text: string): boolean {
  return text.charCodeAt(0) !== 0x7b && text.trim() === '';
}

/** Query and path values arrive as text and are coerced; a body's types are what they are. */
function useValidation(
  app: FastifyInstance,
  later: CompileLater,
): (schema: object) => (body: unknown) => boolean {
  const shared = {
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    strict: false,
    validateFormats: false,
  } as const;
  // 1e400 is no number. Text that is read as one is caught by its bounds, which this would skip.
  const exact = new Ajv({ ...shared, coerceTypes: false, strictNumbers: true });
  const coercing = new Ajv({ ...shared, coerceTypes: 'array' });
  knowFixedFields(exact);
  const isName = knownNames(app);
  // One shape may be checked by different rules: as a body or an address, on a route of people or
  // of traffic.
  const compiled = new WeakMap<object, Map<string, ValidateFunction>>();
  const compile = (schema: object, httpPart?: string, url = '', method = ''): ValidateFunction => {
    const isOfPeople = httpPart !== 'params' && platformRoute.test(url);
    const mustEdit = httpPart === 'body' && method === 'PATCH' && url.startsWith('/operator/');
    const rules = `${httpPart ?? ''} ${isOfPeople} ${mustEdit}`;
    const bySchema = compiled.get(schema) ?? new Map<string, ValidateFunction>();
    const known = bySchema.get(rules);
    if (known !== undefined) return known;
    const prepare =
      httpPart === 'querystring'
        ? [queryBooleans(schema), datePairs(schema)]
        : httpPart === 'body'
          ? [dropNulls(schema)]
          : [];
    const validate = whenAsked(
      later,
      () => (httpPart === 'body' ? exact : coercing).compile(schema),
      (data) => prepare.forEach((step) => step(data)),
      isOfPeople ? inspection(schema, httpPart === 'body' ? isName : null, mustEdit) : () => [],
      isTraffic(url),
    );
    compiled.set(schema, bySchema.set(rules, validate));
    return validate;
  };
  app.setValidatorCompiler<object>(({ schema, httpPart, url, method }) =>
    compile(schema, httpPart, url, method),
  );
  return (schema) => {
    const validate = compile(schema, 'body');
    return (body) => validate(body) === true;
  };
}

/**
 * What is asked for by machines, at any rate, is compiled before; of the pages of people an
 * installation may never see most.
 */
function isTraffic(url = ''): boolean {
  return lineOf({ url }) === 'traffic';
}

const serializersWhenAsked =
  (later: CompileLater): ReturnType<typeof SerializerSelector> =>
  (schemas, options) => {
    const compile = SerializerSelector()(schemas, { ...options, compileValidators: true });
    return (route) => {
      const serialize = later.add(
        () => compile({ ...route, schema: withNullables(route.schema) }),
        isTraffic(route.url),
      );
      return (value) => serialize()(value);
    };
  };

/** As the framework would write it. */
function textOf(later: CompileLater, schema: object): (answer: unknown) => string {
  const serialize = later.add(() =>
    SerializerSelector()({}, { compileValidators: true })({
      schema: withNullables(schema),
      method: 'POST',
      url: '',
      httpStatus: '200',
    }),
  );
  return (answer) => serialize()(answer);
}

/** Where what people enter is stored as it came; traffic is cleaned instead of refused. */
const platformRoute = /^\/(?:operator|session|advertiser-dashboard|publisher-dashboard)\b/;

/** Every name of a field of those routes; gathered when the first unknown one is met. */
function knownNames(app: FastifyInstance): (name: string) => boolean {
  const schemas: unknown[] = [];
  let names: Set<string> | undefined;
  app.addHook('onRoute', ({ url, schema }) => {
    if (!platformRoute.test(url) || schema === undefined) return;
    schemas.push(schema.body, ...Object.values(schema.response ?? {}));
    names = undefined;
  });
  return (name) => (names ??= namesIn(schemas)).has(name);
}

/** What is looked for in a value that has the right shape. */
function inspection(
  schema: object,
  isName: ((name: string) => boolean) | null,
  mustEdit: boolean,
): (data: unknown) => AjvProblem[] {
  if (isName === null) return unstorableText;
  const slips = slipFinder(schema, isName);
  return (data) => {
    const found = [...unstorableText(data), ...slips(data)];
    return found.length === 0 && mustEdit ? editsNothing(schema, data) : found;
  };
}

function unstorableText(data: unknown): AjvProblem[] {
  return unstorablePlaces(data).map((place) => ({
    keyword: 'text',
    instancePath: place
      .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
      .join(''),
    schemaPath: '',
    params: {},
    message: 'Holds characters that cannot be stored',
  }));
}

function whenAsked(
  later: CompileLater,
  compile: () => ValidateFunction,
  prepare: (data: unknown) => void,
  inspect: (data: unknown) => AjvProblem[],
  isAhead: boolean,
): ValidateFunction {
  const made = later.add(compile, isAhead);
  const validate = (data: unknown): boolean => {
    const compiled = made();
    prepare(data);
    const problems = compiled(data) ? inspect(data) : (compiled.errors ?? []);
    validate.errors = problems.length === 0 ? null : problems;
    return problems.length === 0;
  };
  validate.errors = null as ValidateFunction['errors'];
  return validate as ValidateFunction;
}

function observe(app: FastifyInstance, { log, metrics }: HttpAppOptions): void {
  // Without promises: every request passes here.
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    note(request, reply);
    done();
  });

  function note(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unknown';
    const { traceparent } = request.headers;
    metrics.httpRequest(request.method, route, reply.statusCode, reply.elapsedTime, traceparent);
    if (request.routeOptions.config.quiet === true) return;
    // The pattern, never the address asked for: query strings hold keys and tokens.
    log.info(
      {
        request: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  }
}
