import type { FastifyInstance } from 'fastify';
import type { RequestListener, Server } from 'node:http';
import { createAdmission, lastShedAnswer, shedAnswer } from '../platform/http/admission.js';
import { createHttpApp, type Front } from '../platform/http/create-http-app.js';
import { csvAnswers } from '../platform/http/csv-answers.js';
import { limitRequests } from '../platform/http/limit-requests.js';
import { describeApi } from '../platform/http/openapi.js';
import { createRoleGate } from '../platform/http/role-gate.js';
import { createEarlyDoor } from '../platform/http/turn-away-early.js';
import { createWorkTurns, inTurns, lineOf } from '../platform/http/work-turns.js';
import type { Services } from '../services.js';

export type ServerFor = (handler: RequestListener) => Server;

/**
 * What every request passes before a route sees it. `front` answers beacons before the framework.
 */
export async function openHttp(
  { config, lifecycle, log, metrics, onShed, requestLimits }: Services,
  serverFor: ServerFor | undefined,
  front: Front,
): Promise<FastifyInstance> {
  const mostWaitMs = config.QUEUE_MS === 0 ? Infinity : config.QUEUE_MS;
  const turns = createWorkTurns({ mostWaitMs, onWaited: (ms) => doors.traffic.waited(ms) });
  const isElsewhere = createRoleGate(new Set<string>(config.ROLES));
  const admission = {
    // Half of it: let in up to all of it, every second one would have waited longer when its turn
    // comes, and is turned away after its body was read and its route found.
    queueMs: config.QUEUE_MS / 2,
    onShed,
    callerOf: requestLimits.callerOf,
  };
  // A door each: nobody who edits a campaign is turned away because too many ask for ads.
  const early = createEarlyDoor({
    refuses: (request) => lineOf(request) === 'traffic' && doors.traffic.refuses(request),
    answer: shedAnswer,
    lastAnswer: lastShedAnswer,
    isLeaving: () => lifecycle.isStopping,
    onTurnedAway: turns.turnedAway,
  });
  const doors = {
    traffic: createAdmission({ ...admission, onParsedShed: early.watch }),
    people: createAdmission(admission),
  };
  const admit: Front = (request, response) => doors[lineOf(request)].front(request, response);
  const guarded =
    serverFor === undefined
      ? {}
      : {
          serverFor: (handler: RequestListener) =>
            serverFor(
              inTurns(turns, [early.seen, isElsewhere, admit], (request, response) => {
                if (!front(request, response)) handler(request, response);
              }),
            )
              .on('connection', turns.connected)
              .on('connection', early.connected),
        };
  const http = createHttpApp({ log, metrics, turns, mostWaitMs, onShed, ...guarded });
  limitRequests(http, requestLimits);
  await describeApi(http, {
    base: config.PUBLIC_BASE_URL,
    api: config.PUBLIC_API_URL,
    platform: config.PUBLIC_PLATFORM_URL,
    index: config.PUBLIC_INDEX_URL,
  });
  csvAnswers(http);
  return http;
}
