import { useState } from 'preact/hooks';
import { ApiError, call } from '../../core/api.js';
import { useApp } from '../../core/boot.js';
import { t } from '../../core/language.js';
import { navigate, useLocation } from '../../core/router.js';
import type { Campaign } from '../campaign-record.js';
import { keepDraft, keptDraft, refusedFields } from './wizard-draft.js';
import { bodyOf, first, type Form, missing } from './wizard-form.js';

export interface Wizard extends Omit<WizardForm, 'refused' | 'refuse' | 'account'> {
  zone: string;
  problem: string | null;
  busy: boolean;
  asking: boolean;
  setAsking: (value: boolean) => void;
  setUnknown: (value: boolean) => void;
  errors: Partial<Record<keyof Form, string>>;
  startAgain: () => void;
  next: () => void;
  create: (status: 'active' | 'draft') => Promise<void>;
}

/** The state of the four steps, and what their buttons do. */
export function useWizard(): Wizard {
  const { say, zone } = useApp();
  const { account, refused, refuse, ...kept } = useWizardForm();
  const { form, step, setStep } = kept;
  const [shown, setShown] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [hasUnknown, setUnknown] = useState(false);
  const errors = { ...refused, ...(shown ? missing(step, form) : {}) };
  const startAgain = (): void => {
    kept.startAgain();
    setShown(false);
  };
  const next = (): void => {
    const isComplete = Object.keys(missing(step, form)).length === 0;
    setShown(!isComplete);
    if (isComplete) setStep(step + 1);
    focusField(isComplete ? 'first' : 'wrong');
  };
  const create = async (status: 'active' | 'draft'): Promise<void> => {
    if (Object.keys(missing(3, form)).length > 0) {
      focusField('wrong');
      return setShown(true);
    }
    if (hasUnknown) {
      focusField('wrong');
      return setProblem(
        t('Some fields need another look. Each problem is explained next to its field.'),
      );
    }
    setBusy(true);
    setProblem(null);
    try {
      const made = await call<Campaign>('/advertiser-dashboard/campaigns', {
        method: 'POST',
        body: bodyOf(form, status, zone),
      });
      keepDraft(account, null);
      say(createdMessage(status, made));
      navigate(`/app/advertiser/campaigns/${made.campaign_id}`);
    } catch (error) {
      setProblem(refuse(error));
      setBusy(false);
    }
  };
  const asked = { problem, busy, asking, setAsking, setUnknown, errors };
  return { ...kept, ...asked, zone, startAgain, next, create };
}

interface WizardForm {
  account: string;
  form: Form;
  step: number;
  set: (change: Partial<Form>) => void;
  setStep: (next: number) => void;
  /** Whether the form began as a draft of an earlier visit. */
  isKept: boolean;
  startAgain: () => void;
  /** What the server said about fields, until they are typed anew. */
  refused: Record<string, string>;
  /** Goes to the first field the server refused, and answers what to say about it. */
  refuse: (error: unknown) => string;
}

/** What was typed, kept in this browser until the campaign exists. */
function useWizardForm(): WizardForm {
  const { session } = useApp();
  const account = session?.account_id ?? '';
  const [kept] = useState(() => openDraft(account));
  const [form, setForm] = useState<Form>(kept ?? first);
  const step = Math.min(useAskedStep(), furthest(form));
  const [isKept, setKept] = useState(kept !== null);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const set = (change: Partial<Form>): void => {
    setForm((before) => {
      const next = { ...before, ...change };
      keepDraft(account, next);
      return next;
    });
    // What is typed anew is not what was refused.
    setRefused((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))),
    );
  };
  const setStep = (next: number): void => {
    set({ step: String(next) });
    navigate(addressOf(next));
  };
  const startAgain = (): void => {
    keepDraft(account, null);
    navigate(addressOf(0));
    setForm(first);
    setRefused({});
    setKept(false);
  };
  const refuse = (error: unknown): string => {
    const found = refusedFields(error, form.group_type !== 'manual');
    if (error instanceof ApiError && error.status === 402)
      return t(
        'To launch, this account needs billing or credit: ask the operator of this server. Saved as a draft, the campaign waits for it.',
      );
    if (found === null)
      return error instanceof ApiError ? error.message : t('The campaign was not created.');
    setRefused(found.errors);
    setStep(found.step);
    focusField('wrong');
    return t('Some fields need another look. Each problem is explained next to its field.');
  };
  return { account, form, step, set, setStep, isKept, startAgain, refused, refuse };
}

const addressOf = (step: number): string =>
  `/app/advertiser/campaigns/new${step === 0 ? '' : `?step=${step + 1}`}`;

/** The step stands in the address: the browser's own way back leads to the step before. */
function useAskedStep(): number {
  const { search } = useLocation();
  return Math.max(0, (Number(search.get('step')) || 1) - 1);
}

/** The first step that lacks something: nobody gets past it by typing an address. */
const furthest = (form: Form): number =>
  [0, 1, 2].find((step) => Object.keys(missing(step, form)).length > 0) ?? 3;

/** What was left, at the step where it was left. */
function openDraft(account: string): Form | null {
  const kept = keptDraft(account, first);
  const step = Math.min(3, Math.max(0, Number(kept?.step) || 0));
  if (location.search === '' && step > 0) history.replaceState(null, '', addressOf(step));
  return kept;
}

function createdMessage(status: 'active' | 'draft', made: Campaign): string {
  if (status === 'draft') return t('Saved as a draft.');
  return made.review_status === 'approved' ? t('Live.') : t('Submitted for review.');
}

/**
 * The first field that is wrong, or the first of a new step, once it is drawn; but whoever has gone
 * on to another place by then stays there.
 */
function focusField(which: 'wrong' | 'first'): void {
  const fields = which === 'wrong' ? '[aria-invalid="true"],.field-error' : 'input,textarea';
  const held = document.activeElement;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const now = document.activeElement;
      if (now === held || now === null || now === document.body)
        document.querySelector<HTMLElement>(`.wizard form :is(${fields})`)?.focus();
    }),
  );
}
