import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { advertiserOf, callerOf } from '../../../platform/auth/guards.js';
import { AppError, fieldError } from '../../../platform/errors.js';
import { type AjvProblem, validationProblems } from '../../../platform/http/validation-problems.js';
import { idOf } from '../fields/id-of.js';
import { read } from '../route-schema.js';
import { type AdvertisersDeps, whileInReviewOf } from '../routes.js';
import { AdGroupPatch, AdInput, CampaignPatch, EditCheck } from '../schema.js';
import { EditEffect } from '../view-schema.js';
import type { CampaignMove, Write } from '../write.js';
import { editAdGroup } from '../ad-groups/write-ad-groups.js';
import { editAd } from '../ads/write-ads.js';
import { editCampaign } from '../campaigns/write-campaigns.js';

/** Ends the transaction of an edit that is only tried. */
class NothingSaved extends Error {}

/** What an edit would do to a campaign, told before it is saved: the edit itself, undone. */
export function checkEditRoutes(
  app: FastifyInstance,
  { db, clock, guards, mintId, jobs, reviewMode, billingGate }: AdvertisersDeps,
): void {
  app.post<{ Body: EditCheck }>(
    '/advertiser-dashboard/check-edit',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        ...read('What an edit would do to what people see; nothing is saved'),
        body: EditCheck,
        response: { 200: EditEffect },
      },
    },
    async (request) => {
      const moves: CampaignMove[] = [];
      const { id: advertiserId } = advertiserOf(request);
      const edit = editOf(request);
      const fixed = { mintId, jobs, reviewMode, billingGate, moves, advertiserId };
      await db
        .transaction(async (tx) => {
          await edit({
            ...fixed,
            tx,
            now: clock(),
            actor: callerOf(request).actor,
            whileInReview: whileInReviewOf(request.body.changes),
          });
          throw new NothingSaved();
        })
        .catch((error: unknown) => {
          if (!(error instanceof NothingSaved)) throw error;
        });
      return describe(moves);
    },
  );
}

/** The edit its PATCH would make, its body held to the same schema. */
function editOf(request: FastifyRequest<{ Body: EditCheck }>): (write: Write) => Promise<unknown> {
  const { campaign_id: campaignId, ad_group_id: groupId, ad_id: adId, changes } = request.body;
  const given = [campaignId, groupId, adId].filter((id) => id != null);
  if (given.length !== 1)
    throw fieldError(['body'], 'Name one of campaign_id, ad_group_id or ad_id', 'missing');
  if (campaignId != null) {
    const body = held<CampaignPatch>(request, CampaignPatch, changes);
    return (write) => editCampaign(write, campaignId, body);
  }
  if (groupId != null) {
    const body = held<AdGroupPatch>(request, AdGroupPatch, changes);
    return (write) => editAdGroup(write, idOf(groupId), body);
  }
  const body = held<AdInput>(request, AdInput, changes);
  return (write) => editAd(write, idOf(adId ?? ''), body);
}

function held<T>(request: FastifyRequest, schema: TSchema, changes: unknown): T {
  const validate = request.compileValidationSchema(schema, 'body');
  if (!validate(changes))
    throw new AppError('validation_failed', {
      // Ajv's own, as every validator of the app gives them.
      detail: validationProblems('changes', (validate.errors ?? []) as AjvProblem[]).map(
        (problem) => ({ ...problem, loc: ['body', ...problem.loc] }),
      ),
    });
  // It was just held to the schema whose type the caller names.
  return changes as T;
}

function describe(moves: readonly CampaignMove[]) {
  const move = moves.at(-1);
  const effect = {
    goes_to_review: move?.waits ?? false,
    goes_off_air: move !== undefined && move.wasShown && !move.isShown,
    keeps_approved: move !== undefined && move.waits && move.wasShown && move.isShown,
  };
  return { ...effect, message: wordsFor(effect) };
}

function wordsFor(effect: {
  goes_to_review: boolean;
  goes_off_air: boolean;
  keeps_approved: boolean;
}): string {
  const meanwhile = effect.keeps_approved
    ? ' Until then the approved version is shown.'
    : effect.goes_off_air
      ? ' Until then the campaign is off the air.'
      : '';
  if (effect.goes_to_review) return `It is reviewed before people see it.${meanwhile}`;
  return effect.goes_off_air
    ? 'The campaign goes off the air at once.'
    : 'It takes effect at once, without review.';
}
