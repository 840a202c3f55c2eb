import type { Static } from '@sinclair/typebox';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ExperimentView } from '../../../src/surfaces/experiments/schema.js';
import { call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { moment } from '../core/format.js';
import { t } from '../core/language.js';
import { Link, navigate } from '../core/router.js';
import { useAct } from '../core/hooks/use-act.js';
import { useLoad, type Loaded } from '../core/hooks/use-load.js';
import { Choice, TextField } from '../ui/forms/fields.js';
import { LoadedTable } from '../ui/tables/loaded-table.js';
import { Badge, Card, Page } from '../ui/parts.js';
import { Shown } from '../ui/states.js';
import type { Column } from '../ui/tables/data-table.js';

type View = Static<typeof ExperimentView>;
interface Named {
  campaign_id: string;
  name: string;
}
interface Group {
  id: string;
  name: string;
}

const path = '/advertiser-dashboard/experiments';

/** A/B and holdout experiments: what runs, what ran, and a new one. */
export function ExperimentsPage(): JSX.Element {
  const { zone } = useApp();
  const load = useLoad<{ experiments: View[] }>(path);
  const campaigns = useLoad<{ campaigns: Named[] }>('/advertiser-dashboard/campaigns');
  const nameOf = (id: string): string =>
    campaigns.data?.campaigns.find((one) => one.campaign_id === id)?.name ?? id;
  return (
    <Page
      title={t('Experiments')}
      lead={t(
        'What an ad really adds: people are assigned to arms at random, and what they do is compared.',
      )}
    >
      <div class="stack">
        <Shown load={campaigns}>{(data) => <NewExperiment campaigns={data.campaigns} />}</Shown>
        <LoadedTable
          title={t('Your experiments')}
          path={path}
          load={load}
          rowsOf={(data) => data.experiments}
          rowKey={(row) => row.experiment_id}
          empty={t('No experiments yet.')}
          columns={experimentColumns(nameOf, zone)}
        />
      </div>
    </Page>
  );
}

function experimentColumns(nameOf: (id: string) => string, zone: string): readonly Column<View>[] {
  return [
    {
      id: 'name',
      title: t('Name'),
      cell: (row) => (
        <Link to={`/app/advertiser/experiments/${row.experiment_id}`}>{row.name}</Link>
      ),
      sort: (row) => row.name,
    },
    {
      id: 'campaign',
      title: t('Campaign'),
      cell: (row) => (
        <span class="clip" title={nameOf(row.campaign_id)}>
          {nameOf(row.campaign_id)}
        </span>
      ),
      sort: (row) => nameOf(row.campaign_id),
    },
    {
      id: 'kind',
      title: t('Kind'),
      cell: (row) => (row.kind === 'ab' ? 'A/B' : t('Holdout')),
      sort: (row) => row.kind,
    },
    {
      id: 'state',
      title: t('State'),
      cell: (row) => <Badge value={row.stopped_at === null ? 'running' : 'ended'} />,
      sort: (row) => row.stopped_at ?? '',
    },
    {
      id: 'started',
      title: t('Since'),
      cell: (row) => <span class="nowrap">{moment(row.started_at, zone)}</span>,
      sort: (row) => row.started_at,
    },
  ];
}

function NewExperiment({ campaigns }: { campaigns: readonly Named[] }): JSX.Element {
  const draft = useNewExperiment(campaigns);
  if (campaigns.length === 0)
    return <Card title={t('A new experiment')}>{t('An experiment needs a campaign first.')}</Card>;
  const choices: readonly (readonly [string, string])[] = [
    ['', t('All ad groups')],
    ...(draft.groups.data ?? []).map((group) => [group.id, group.name] as [string, string]),
  ];
  return (
    <Card title={t('A new experiment')}>
      <form class="row" onSubmit={(event) => void draft.submit(event)}>
        <TextField
          label={t('Name')}
          value={draft.name}
          onInput={draft.setName}
          required
          maxLength={60}
        />
        <Choice
          label={t('Campaign')}
          value={draft.campaign}
          onChange={draft.setCampaign}
          options={campaigns.map((one) => [one.campaign_id, one.name] as [string, string])}
        />
        <Choice
          label={t('Kind')}
          value={draft.kind}
          onChange={draft.setKind}
          options={[
            ['holdout', t('Holdout: some are shown nothing')],
            ['ab', t('A/B: each arm its own ad group')],
          ]}
        />
        <ShareOrGroups draft={draft} choices={choices} />
        <button class="button primary" disabled={draft.busy}>
          {t('Begin')}
        </button>
      </form>
    </Card>
  );
}

function ShareOrGroups({
  draft,
  choices,
}: {
  draft: ExperimentDraft;
  choices: readonly (readonly [string, string])[];
}): JSX.Element {
  return (
    <>
      {draft.kind === 'holdout' ? (
        <TextField
          label={t('Shown nothing, percent')}
          type="number"
          min="1"
          max="90"
          value={draft.share}
          onInput={draft.setShare}
          required
        />
      ) : (
        <>
          <Choice
            label={t('Arm A is shown')}
            value={draft.arms.a}
            onChange={(a) => draft.setArms({ ...draft.arms, a })}
            options={choices}
          />
          <Choice
            label={t('Arm B is shown')}
            value={draft.arms.b}
            onChange={(b) => draft.setArms({ ...draft.arms, b })}
            options={choices}
          />
        </>
      )}
    </>
  );
}

interface ExperimentDraft {
  busy: boolean;
  campaign: string;
  setCampaign: (value: string) => void;
  name: string;
  setName: (value: string) => void;
  kind: string;
  setKind: (value: string) => void;
  share: string;
  setShare: (value: string) => void;
  arms: { a: string; b: string };
  setArms: (value: { a: string; b: string }) => void;
  groups: Loaded<Group[]>;
  submit: (event: Event) => Promise<void>;
}

function useNewExperiment(campaigns: readonly Named[]): ExperimentDraft {
  const { act, busy } = useAct();
  const [campaign, setCampaign] = useState(campaigns[0]?.campaign_id ?? '');
  const [name, setName] = useState('');
  const [kind, setKind] = useState('holdout');
  const [share, setShare] = useState('10');
  const [arms, setArms] = useState({ a: '', b: '' });
  const groups = useLoad<Group[]>(
    kind === 'ab' && campaign !== ''
      ? `/advertiser-dashboard/ad-groups?campaign_id=${campaign}`
      : null,
  );
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const arm = (title: string, group: string) => ({
      name: title,
      weight: 1,
      ...(group === '' ? {} : { ad_group_ids: [group] }),
    });
    await act(async () => {
      const made = await call<View>(path, {
        method: 'POST',
        body: {
          campaign_id: campaign,
          name,
          kind,
          ...(kind === 'ab'
            ? { variants: [arm('A', arms.a), arm('B', arms.b)] }
            : { holdout_percent: Number(share) }),
        },
      });
      navigate(`/app/advertiser/experiments/${made.experiment_id}`);
      return t('It has begun.');
    });
  };
  return {
    busy,
    campaign,
    setCampaign,
    name,
    setName,
    kind,
    setKind,
    share,
    setShare,
    arms,
    setArms,
    groups,
    submit,
  };
}
