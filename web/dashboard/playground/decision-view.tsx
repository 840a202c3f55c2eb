import type { JSX } from 'preact';
import { money, words } from '../core/format.js';
import { DataTable } from '../ui/data-table.js';
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
}

const perThousand = (micros: number): string => money(micros / 1000);

function readingWords(reading: NonNullable<Decision['reading']>): string {
  if (reading.unread) return 'In a language the model does not read: matched by plain words only.';
  const share = (value: number | null | undefined): string =>
    value === null || value === undefined ? '—' : `${Math.round(value * 100)}%`;
  return `Need: ${share(reading.need)} · sensitive: ${share(reading.sensitivity)} · need before: ${share(reading.need_before)} · best fit: ${share(reading.fit)}`;
}

/** Who took part in a decision, with the numbers it was made by. */
export function DecisionView({ decision }: { decision: Decision }): JSX.Element {
  const winner = decision.candidates.find((candidate) => candidate.outcome === 'won');
  return (
    <div class="stack">
      <p>
        {winner === undefined ? (
          decision.no_ad_reason === null ? (
            'No candidate was good enough.'
          ) : (
            `No ad: ${words(decision.no_ad_reason).toLowerCase()}.`
          )
        ) : (
          <>
            <b>{winner.ad ?? winner.ad_id}</b> won with relevance {winner.relevance.toFixed(2)}
            {winner.price_micros !== undefined && (
              <>
                {' '}
                and pays{' '}
                {winner.charge === 'cpm'
                  ? `${perThousand(winner.price_micros)} per thousand impressions`
                  : `${money(winner.price_micros / 1e6)} per ${winner.charge === 'cpc' ? 'click' : 'result'}`}
              </>
            )}
            .
          </>
        )}
      </p>
      <p class="quiet">
        Topic: {decision.topic === null || decision.topic === '' ? 'none' : words(decision.topic)} ·
        country: {decision.country ?? 'unknown'} · device: {decision.device ?? 'unknown'} ·
        matching: {decision.matching ?? '—'}
      </p>
      {decision.reading !== null && decision.reading !== undefined && (
        <p class="quiet">{readingWords(decision.reading)}</p>
      )}
      {decision.candidates.length > 0 && (
        <DataTable
          label="Candidates"
          rows={decision.candidates}
          rowKey={(candidate) => candidate.ad_id}
          columns={[
            {
              id: 'ad',
              title: 'Ad',
              cell: (row) => (
                <>
                  <span class="clip">{row.ad ?? row.ad_id}</span>
                  <br />
                  <Badge value={row.outcome} /> <small>{row.campaign ?? ''}</small>
                </>
              ),
            },
            {
              id: 'relevance',
              title: 'Relevance',
              numeric: true,
              cell: (row) => row.relevance.toFixed(2),
              sort: (row) => row.relevance,
            },
            {
              id: 'pctr',
              title: 'Click chance',
              numeric: true,
              cell: (row) => (row.pctr === undefined ? '—' : `${(row.pctr * 100).toFixed(2)}%`),
            },
            {
              id: 'bid',
              title: 'Bid',
              numeric: true,
              cell: (row) => (row.bid_micros === undefined ? '—' : money(row.bid_micros / 1e6)),
            },
            {
              id: 'score',
              title: 'Score',
              numeric: true,
              cell: (row) => (row.score === undefined ? '—' : (row.score / 1e6).toFixed(2)),
            },
          ]}
        />
      )}
      {decision.candidates.some((row) => row.bid_micros !== undefined) && (
        <p class="hint">A bid is for one impression, click or result, as the campaign pays.</p>
      )}
    </div>
  );
}
