import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { t } from '../../core/language.js';
import { CountryField } from '../../ui/forms/country-field.js';
import { Check, Choice, TextField } from '../../ui/forms/fields.js';
import { Dialog } from '../../ui/parts.js';
import { Problem } from '../../ui/states.js';
import { AskBudget, isSurprising } from './ask-budget.js';
import { useAskReview, type ReviewQuestion } from './ask-review.js';
import type { AdGroup } from '../campaign-record.js';
import { asAddress } from '../host-of.js';
import { countriesOf } from './countries-of.js';

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value));

/** Makes a group, or changes one. Whether its ads are written by hand is decided once. */
export function EditAdGroup({
  campaignId,
  group,
  onClose,
  onSaved,
}: {
  campaignId: string;
  group: AdGroup | null;
  onClose: () => void;
  onSaved: () => void;
}): JSX.Element {
  const edit = useGroupEdit(group, campaignId, onSaved);
  return (
    <Dialog
      title={group === null ? t('New ad group') : t('Edit {name}', { name: group.name })}
      onClose={onClose}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void edit.save(false);
        }}
      >
        {edit.problem !== null && <Problem message={edit.problem.message} />}
        <NameFields edit={edit} group={group} />
        <TargetingFields edit={edit} />
        <BrandFields edit={edit} />
        <SpendingFields edit={edit} />
        <Check
          label={t('Move budget to the groups that do best')}
          checked={edit.form.auto}
          onChange={(auto) => edit.set({ auto })}
        />
        <div>
          <button class="button primary">
            {group === null ? t('Create group') : t('Save group')}
          </button>
        </div>
      </form>
      {edit.review.dialog}
      {edit.asking && (
        <AskBudget
          daily={Number(edit.form.daily_budget)}
          onYes={() => void edit.save(true)}
          onClose={() => edit.setAsking(false)}
        />
      )}
    </Dialog>
  );
}

function NameFields({ edit, group }: { edit: GroupEdit; group: AdGroup | null }): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Name')}
        value={edit.form.name}
        onInput={(name) => edit.set({ name })}
        required
        wrong={t('Give the group a name.')}
        maxLength={200}
        error={edit.wrong('name')}
      />
      {group === null && (
        <Choice
          label={t('Ads')}
          value={edit.form.group_type}
          options={[
            ['manual', t('I write them')],
            ['generative', t('Written for me')],
          ]}
          onChange={(group_type) => edit.set({ group_type })}
        />
      )}
    </div>
  );
}

function TargetingFields({ edit }: { edit: GroupEdit }): JSX.Element {
  return (
    <>
      <TextField
        label={t('Who should see it')}
        value={edit.form.context}
        onInput={(context) => edit.set({ context })}
        rows={4}
        maxLength={10_000}
        error={edit.wrong('context')}
      />
      <TextField
        label={t('Who should not')}
        value={edit.form.negative_context}
        onInput={(negative_context) => edit.set({ negative_context })}
        rows={2}
        maxLength={10_000}
      />
      {edit.form.group_type === 'generative' && (
        <TextField
          label={t('What should the ads say?')}
          value={edit.form.ad_prompt}
          onInput={(ad_prompt) => edit.set({ ad_prompt })}
          rows={3}
          maxLength={10_000}
        />
      )}
    </>
  );
}

function BrandFields({ edit }: { edit: GroupEdit }): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Brand')}
        value={edit.form.brand_name}
        onInput={(brand_name) => edit.set({ brand_name })}
        maxLength={100}
        hint={t('Shown to people.')}
        error={edit.wrong('brand_name')}
      />
      <TextField
        label={t('Landing page')}
        value={edit.form.landing_page}
        onInput={(landing_page) => edit.set({ landing_page })}
        inputMode="url"
        hint={t('Leave empty to use the campaign’s.')}
        error={edit.wrong('landing_page')}
      />
    </div>
  );
}

function SpendingFields({ edit }: { edit: GroupEdit }): JSX.Element {
  return (
    <div class="form-row">
      <TextField
        label={t('Daily budget in dollars')}
        value={edit.form.daily_budget}
        onInput={(daily_budget) => edit.set({ daily_budget })}
        type="number"
        min="1"
        step="1"
        hint={t('Leave empty to use the campaign’s.')}
        error={edit.wrong('daily_budget')}
      />
      <TextField
        label={t('Most you pay per click')}
        value={edit.form.max_cpc}
        onInput={(max_cpc) => edit.set({ max_cpc })}
        type="number"
        min="0"
        step="0.01"
        error={edit.wrong('max_cpc')}
      />
      <CountryField
        label={t('Countries')}
        value={countriesOf(edit.form.countries)}
        onChange={(codes) => edit.set({ countries: codes.join(', ') })}
        hint={t('Leave empty to use the campaign’s.')}
        onUnknown={edit.setUnknown}
        error={edit.wrong('allowed_countries')}
      />
    </div>
  );
}

interface GroupEdit {
  form: GroupForm;
  problem: ApiError | null;
  setUnknown: (value: boolean) => void;
  asking: boolean;
  setAsking: (value: boolean) => void;
  review: ReviewQuestion;
  set: (change: Partial<GroupForm>) => void;
  save: (isSure: boolean) => Promise<void>;
  wrong: (name: string) => string | undefined;
}

function useGroupEdit(group: AdGroup | null, campaignId: string, onSaved: () => void): GroupEdit {
  const [form, setForm] = useState<GroupForm>(() => formOf(group));
  const [problem, setProblem] = useState<ApiError | null>(null);
  const [asking, setAsking] = useState(false);
  const [hasUnknown, setUnknown] = useState(false);
  const review = useAskReview();
  const set = (change: Partial<GroupForm>): void => setForm((before) => ({ ...before, ...change }));
  const save = async (isSure: boolean): Promise<void> => {
    if (hasUnknown) return;
    const next = fieldsOf(form);
    const { daily_budget: daily } = next;
    const before = group?.daily_budget ?? undefined;
    if (!isSure && typeof daily === 'number' && daily !== before && isSurprising(daily, before))
      return setAsking(true);
    try {
      if (group === null)
        await call('/advertiser-dashboard/ad-groups', {
          method: 'POST',
          body: {
            campaign_id: campaignId,
            group_type: form.group_type,
            ...Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null)),
          },
        });
      else {
        const body = changedFields(next, group);
        const asked = await review.ask({ ad_group_id: group.id }, body);
        if (asked === null) return;
        await call(`/advertiser-dashboard/ad-groups/${group.id}`, {
          method: 'PATCH',
          body: { ...body, ...asked },
        });
      }
      onSaved();
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error : new ApiError(0, t('The group was not saved.')),
      );
    }
  };
  const wrong = (name: string): string | undefined => problem?.fields[name];
  return { form, problem, asking, setAsking, setUnknown, review, set, save, wrong };
}

function formOf(group: AdGroup | null): GroupForm {
  return {
    name: group?.name ?? '',
    group_type: group?.group_type ?? 'manual',
    context: group?.context ?? '',
    negative_context: group?.negative_context ?? '',
    brand_name: group?.brand_name ?? '',
    ad_prompt: group?.ad_prompt ?? '',
    landing_page: group?.landing_page ?? '',
    daily_budget: textOf(group?.daily_budget),
    auto: group?.auto_optimize_budget ?? true,
    max_cpc: textOf(group?.max_cpc),
    countries: (group?.allowed_countries ?? []).join(', '),
  };
}

function fieldsOf(form: GroupForm): Record<string, unknown> {
  const text = (value: string): string | null => (value.trim() === '' ? null : value.trim());
  const next: Record<string, unknown> = {
    name: form.name.trim(),
    context: text(form.context),
    negative_context: text(form.negative_context),
    brand_name: text(form.brand_name),
    ad_prompt: text(form.ad_prompt),
    landing_page: text(asAddress(form.landing_page)),
    daily_budget: numberOf(form.daily_budget),
    auto_optimize_budget: form.auto,
    max_cpc: numberOf(form.max_cpc),
    allowed_countries: countriesOf(form.countries),
  };
  return next;
}

function changedFields(next: Record<string, unknown>, group: AdGroup): { [k: string]: unknown } {
  const body = Object.fromEntries(
    Object.entries(next).filter(
      ([name, value]) =>
        JSON.stringify(value) !==
        JSON.stringify(group[name as keyof AdGroup /* each is a field of it */]),
    ),
  );
  return body;
}

type GroupForm = Record<
  | 'name'
  | 'group_type'
  | 'context'
  | 'negative_context'
  | 'brand_name'
  | 'ad_prompt'
  | 'landing_page'
  | 'daily_budget'
  | 'max_cpc'
  | 'countries',
  string
> & { auto: boolean };
