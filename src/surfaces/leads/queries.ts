import type { LeadForm } from '../../domain/lead-form.js';
import type { Db } from '../../platform/db/db.js';

export async function findLeadForm(db: Db, campaignId: string): Promise<LeadForm | null> {
  const rows = await db.query<{ form: LeadForm | null }>(
    `select case when v.fields ? 'lead_form_config'
       then nullif(v.fields -> 'lead_form_config', 'null') else c.lead_form_config end as form
     from campaigns c
     left join approved_versions v on c.shows_approved and v.campaign_id = c.id
       and v.entity_id = c.id
     where c.id = $1`,
    [campaignId],
  );
  return rows[0]?.form ?? null;
}

export interface LeadRow {
  id: string;
  serveId: string;
  at: Date;
  publisherId: string;
  advertiserId: string;
  campaignId: string;
  adGroupId: string | null;
  adId: string;
  fieldsSealed: string;
  consent: boolean | null;
}

/**
 * The first answer for a served ad stays; a repeat finds it. Returns the id that counts and whether
 * it is new.
 */
export async function insertLead(tx: Db, row: LeadRow): Promise<{ id: string; isNew: boolean }> {
  const inserted = await tx.query<{ id: string }>(
    `insert into leads (
         id, serve_id, at, publisher_id, advertiser_id, campaign_id, ad_group_id, ad_id,
         fields_sealed, consent
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (serve_id) do nothing
     returning id`,
    [
      row.id,
      row.serveId,
      row.at,
      row.publisherId,
      row.advertiserId,
      row.campaignId,
      row.adGroupId,
      row.adId,
      row.fieldsSealed,
      row.consent,
    ],
  );
  if (inserted[0] !== undefined) return { id: inserted[0].id, isNew: true };
  const [known] = await tx.query<{ id: string }>(`select id from leads where serve_id = $1`, [
    row.serveId,
  ]);
  return { id: known?.id ?? row.id, isNew: false };
}

export interface StoredLead {
  id: string;
  at: Date;
  campaignId: string;
  campaignName: string;
  adId: string;
  fieldsSealed: string;
  consent: boolean | null;
}

/** Newest first, from before the cursor. */
export function listLeads(
  db: Db,
  advertiserId: string,
  filter: { campaignId: string | null; before: { at: Date; id: string } | null; limit: number },
): Promise<StoredLead[]> {
  return db.query<StoredLead>(
    `select l.id, l.at, l.campaign_id as "campaignId", c.name as "campaignName", l.ad_id as "adId",
       l.fields_sealed as "fieldsSealed", l.consent
     from leads l
     join campaigns c on c.id = l.campaign_id
     where l.advertiser_id = $1 and ($2::uuid is null or l.campaign_id = $2)
       and ($3::timestamptz is null or (l.at, l.id) < ($3, $4::uuid))
     order by l.at desc, l.id desc
     limit $5`,
    [
      advertiserId,
      filter.campaignId,
      filter.before?.at ?? null,
      filter.before?.id ?? null,
      filter.limit,
    ],
  );
}
