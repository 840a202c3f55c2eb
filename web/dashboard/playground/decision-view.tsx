import type { JSX } from 'preact';
import { fixed, money, percent, words } from '../core/format.js';
import { named, rich, t } from '../core/language.js';
import { DataTable, type Column } from '../ui/tables/data-table.js';
import { Badge } from '../ui/parts.js';

export interface Candidate {
  ad_id: string;
  ad: string | null;
  campaign: string | null;
  advertiser: string | null;
  outcome: string;
  relevance: number;
  pctr?: number;
  bid_micros?: number;
  score?: number;
  price_micros?: number;
  charge?: string;
  basis?: string;
}

export interface Decision {
  request_id: string;
  at: string;
  country: string | null;
  device: string | null;
  topic: string | null;
  no_ad_reason: string | null;
  refused_by?: string | null;
  reading?: {
    unread: boolean;
    need?: number | null;
    sensitivity?: number | null;
    need_before?: number | null;
    fit?: number | null;
  } | null;
  matching: string | null;
  candidates: Candidate[];
  beacons?: Beacon[];
}

/** A view or click that came back of an ad shown. */
export interface Beacon {
  kind: string;
  at: string;
  counted: boolean;
  not_counted_because: string | null;
  not_billed_because: string | null;
}

const perThousand = (micros: number): string => money(micros / 1000);

function readingWords(reading: NonNullable<Decision['reading']>): string {
  if (reading.unread)
    return t('In a language the model does not read: matched by plain words only.');
  const share = (value: number | null | undefined): string =>
    value === null || value === undefined ? '—' : `${Math.round(value * 100)}%`;
  return t('Need: {share} · sensitive: {share2} · need before: {share3} · best fit: {share4}', {
    share: share(reading.need),
    share2: share(reading.sensitivity),
    share3: share(reading.need_before),
    share4: share(reading.fit),
  });
}

/** Who took part in a decision, with the numbers it was made by. */
export function DecisionView({ decision }: { decision: Decision }): JSX.Element {
  const winner = decision.candidates.find((candidate) => candidate.outcome === 'won');
  return (
    <div class="stack">
      <Verdict winner={winner} decision={decision} />
      <p class="quiet">
        {rich('Topic: {topic} · country: {country} · device: {device} · matching: {matching}', {
          topic:
            decision.topic === null || decision.topic === '' ? t('none') : words(decision.topic),
          country: decision.country ?? t('unknown'),
          device: decision.device ?? t('unknown'),
          matching: decision.matching ?? '—',
        })}
      </p>
      {decision.reading !== null && decision.reading !== undefined && (
        <p class="quiet">{readingWords(decision.reading)}</p>
      )}
      {decision.candidates.length > 0 && (
        <DataTable
          label={t('Candidates')}
          rows={decision.candidates}
          rowKey={(candidate) => candidate.ad_id}
          columns={candidateColumns()}
        />
      )}
      {decision.candidates.some((row) => row.bid_micros !== undefined) && (
        <p class="hint">
          {t('A bid is for one impression, click or result, as the campaign pays.')}
        </p>
      )}
      {decision.beacons !== undefined && decision.beacons.length > 0 && (
        <DataTable
          label={t('Views and clicks')}
          rows={decision.beacons}
          rowKey={(beacon) => `${beacon.kind} ${beacon.not_counted_because ?? ''}`}
          columns={beaconColumns()}
        />
      )}
    </div>
  );
}

function Verdict({
  winner,
  decision,
}: {
  winner: Candidate | undefined;
  decision: Decision;
}): JSX.Element {
  return (
    <p>
      {winner === undefined ? (
        decision.no_ad_reason === null ? (
          t('No candidate was good enough.')
        ) : (
          t('No ad: {no_ad_reason}.', { no_ad_reason: named(decision.no_ad_reason) })
        )
      ) : (
        <>
          {rich('{ad} won with relevance {relevance}{andPays}.', {
            ad: <b>{winner.ad ?? winner.ad_id}</b>,
            relevance: fixed(winner.relevance, 2),
            andPays: winner.price_micros !== undefined && (
              <>
                {' '}
                {rich('and pays {charge}', {
                  charge:
                    winner.charge === 'cpm'
                      ? t('{price_micros} per thousand impressions', {
                          price_micros: perThousand(winner.price_micros),
                        })
                      : t('{price_micros} per {charge}', {
                          price_micros: money(winner.price_micros / 1e6),
                          charge: winner.charge === 'cpc' ? t('click') : t('result'),
                        }),
                })}
              </>
            ),
          })}
        </>
      )}
    </p>
  );
}

function beaconColumns(): readonly Column<Beacon>[] {
  return [
    { id: 'kind', title: t('Event'), cell: (row) => named(row.kind) },
    {
      id: 'counted',
      title: t('Counted'),
      cell: (row) =>
        row.counted
          ? row.not_billed_because === null
            ? t('yes')
            : t('yes, not paid: {why}', { why: named(row.not_billed_because) })
          : t('no: {why}', { why: named(row.not_counted_because ?? '') }),
    },
  ];
}

function candidateColumns(): readonly Column<Candidate>[] {
  return [
    {
      id: 'ad',
      title: t('Ad'),
      cell: (row) => (
        <>
          <span class="clip" title={row.ad ?? row.ad_id}>
            {row.ad ?? row.ad_id}
          </span>
          <br />
          <Badge value={row.outcome} /> <small>{row.campaign ?? ''}</small>
        </>
      ),
    },
    {
      id: 'relevance',
      title: t('Relevance'),
      numeric: true,
      cell: (row) => fixed(row.relevance, 2),
      sort: (row) => row.relevance,
    },
    {
      id: 'pctr',
      title: t('Click chance'),
      numeric: true,
      cell: (row) => (row.pctr === undefined ? '—' : percent(row.pctr * 100, 2)),
    },
    {
      id: 'bid',
      title: t('Bid'),
      numeric: true,
      cell: (row) => (row.bid_micros === undefined ? '—' : money(row.bid_micros / 1e6)),
    },
    {
      id: 'score',
      title: t('Score'),
      numeric: true,
      cell: (row) => (row.score === undefined ? '—' : fixed(row.score / 1e6, 2)),
    },
  ];
}
