'use client';
import {
  englishLabels,
  labelText,
  type Ad as AdData,
  type AdFeedback,
  type AdLabels,
  type ChoiceAction,
  type Destination,
  type LeadSubmission,
  type ObserveOptions,
} from '@sidelight/sdk/browser';
import { useState, type MouseEvent, type ReactElement } from 'react';
import { AdChoices } from './ad-choices.js';
import { AdLabel } from './ad-label.js';
import { adLinkProps } from './ad-link-props.js';
import { FeedbackControls } from './feedback-controls.js';
import { LeadFormFields } from './lead-form-fields.js';
import { useImpression } from './use-impression.js';

export interface AdProps extends ObserveOptions<AdData> {
  ad: AdData;
  /** The session the ad was requested for; feedback and leads need it. */
  sessionId?: string;
  onClick?: (ad: AdData, event: MouseEvent<HTMLAnchorElement>) => void;
  /** Takes feedback: a function or a route of yours. Without it no controls are shown. */
  feedback?: Destination<AdFeedback>;
  /** Takes form answers: a function or a route of yours. Without it no form is shown. */
  lead?: Destination<LeadSubmission>;
  labels?: Partial<AdLabels>;
  /** Told what the person decided about the ad; take it away when they hide it. */
  onChoice?: (ad: AdData, action: ChoiceAction, made: boolean) => void;
  className?: string;
  /**
   * Leaves out the class the default style sheet hangs on; every part keeps its `data-sl` name for
   * your own styles.
   */
  unstyled?: boolean;
}

/**
 * An ad in a chat. Import "@sidelight/react/styles.css" once for the default look, and set its
 * `--sl-…` properties to theme it.
 *
 * @example
 * <Ad ad={ad} sessionId={sessionId} feedback="/api/sidelight" />
 */
export function Ad(props: AdProps): ReactElement {
  const { ad, sessionId = '', onClick, lead, unstyled = false, className } = props;
  const labels: AdLabels = { ...englishLabels, ...props.labels };
  const ref = useImpression<HTMLElement>(ad, props);
  const [formOpen, setFormOpen] = useState(false);
  const [aboutOpen, setAboutOpen] = useState(false);
  const classes = [unstyled ? '' : 'sl-ad', className ?? '']
    .filter((name) => name !== '')
    .join(' ');
  const form = formOf(props);
  return (
    <aside
      ref={ref}
      className={classes === '' ? undefined : classes}
      data-sl="ad"
      aria-label={`${labelText(ad, props.labels)}: ${ad.brandName}`}
    >
      <AdHead ad={ad} props={props} labels={labels} open={aboutOpen} onToggle={setAboutOpen} />
      <a data-sl="main" {...adLinkProps(ad, onClick)}>
        <Picture url={ad.image} part="picture" size={64} />
        <span data-sl="words">
          <span data-sl="title">{ad.title}</span>
          <span data-sl="text">{ad.adText}</span>
        </span>
      </a>
      <AdActions ad={ad} props={props} labels={labels} open={formOpen} onToggle={setFormOpen} />
      {aboutOpen ? (
        <AdChoices key={ad.impUrl} ad={ad} labels={labels} onChoice={props.onChoice} />
      ) : null}
      {lead === undefined || form === undefined || form === null || !formOpen ? null : (
        <LeadFormFields
          key={ad.impUrl}
          ad={ad}
          form={form}
          sessionId={sessionId}
          destination={lead}
          labels={labels}
        />
      )}
    </aside>
  );
}

interface PartProps {
  ad: AdData;
  props: AdProps;
  labels: AdLabels;
  /** Whether what the part's button opens is open. */
  open: boolean;
  onToggle: (open: boolean) => void;
}

/** The label, the brand and, where there is something to tell, the way to why and who paid. */
function AdHead({ ad, props, labels, open, onToggle }: PartProps): ReactElement {
  return (
    <div data-sl="head">
      <AdLabel ad={ad} labels={props.labels} />
      <Picture url={ad.favicon} part="icon" size={16} />
      <span data-sl="brand">{ad.brandName}</span>
      {ad.disclosure == null && ad.choicesUrl == null ? null : (
        <button
          type="button"
          data-sl="about"
          aria-label={labels.about}
          aria-expanded={open}
          onClick={() => onToggle(!open)}
        >
          ⓘ
        </button>
      )}
    </div>
  );
}

/** The button to the advertiser, the one that opens the form, and the thumbs. */
function AdActions({ ad, props, labels, open, onToggle }: PartProps): ReactElement {
  const { onClick, feedback, sessionId = '' } = props;
  const form = formOf(props);
  return (
    <div data-sl="row">
      <a data-sl="cta" {...adLinkProps(ad, onClick)}>
        {ad.cta}
      </a>
      {form === undefined || form === null ? null : (
        <button type="button" data-sl="open" aria-expanded={open} onClick={() => onToggle(!open)}>
          {form.title}
        </button>
      )}
      {feedback === undefined ||
      ad.feedbackPrompt === undefined ||
      ad.feedbackPrompt === null ? null : (
        <FeedbackControls
          key={ad.impUrl}
          ad={ad}
          prompt={ad.feedbackPrompt}
          sessionId={sessionId}
          destination={feedback}
          labels={labels}
        />
      )}
    </div>
  );
}

const formOf = ({ ad, lead }: AdProps): AdData['leadForm'] =>
  lead === undefined ? undefined : ad.leadForm;

function Picture({
  url,
  part,
  size,
}: {
  url: string | undefined;
  part: string;
  size: number;
}): ReactElement | null {
  const [gone, setGone] = useState(false);
  if (url === undefined || url === null || !/^https?:\/\//i.test(url)) return null;
  // A picture that cannot load keeps its place: nothing moves.
  return (
    <img
      data-sl={part}
      data-gone={gone || undefined}
      src={url}
      alt=""
      width={size}
      height={size}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setGone(true)}
    />
  );
}
