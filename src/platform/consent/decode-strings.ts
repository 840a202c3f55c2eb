import { TCString } from '@iabtechlabtcf/core';
import { GppModel, Sections } from '@iabgpp/cmpapi';
import { hasSaneSections, hasSaneVendors, vendorsAt } from '../../domain/privacy/string-shape.js';
import type { ReadConsent, ReadSection } from '../../domain/privacy/weigh-signals.js';

/**
 * Purposes that may rest on a legitimate interest: the others need consent, whatever is written.
 */
const withoutConsent: ReadonlySet<number> = new Set([2, 7, 9, 10, 11]);
const lastPurpose = 11;
const restriction = { notAllowed: 0, needsConsent: 1 };

/**
 * What a TCF string says; null when it says nothing that can be read. With a vendor id it is what
 * the string says of that vendor, without one what it says of everybody.
 */
export function decodeTcf(text: string, vendorId: number): ReadConsent | null {
  const [core = ''] = text.split('.');
  if (!/^[\w-]{20,}$/.test(core)) return null;
  if (!hasSaneVendors(core, vendorsAt.europe)) return null;
  try {
    const model = TCString.decode(core);
    const isAgreed = vendorId === 0 || model.vendorConsents.has(vendorId);
    const isInterest = vendorId === 0 || model.vendorLegitimateInterests.has(vendorId);
    const restricted = new Map<number, number>(
      vendorId === 0
        ? []
        : model.publisherRestrictions
            .getRestrictions(vendorId)
            .flatMap(({ purposeId, restrictionType }): [number, number][] =>
              purposeId === undefined ? [] : [[purposeId, Number(restrictionType)]],
            ),
    );
    const purposes: number[] = [];
    for (let purpose = 1; purpose <= lastPurpose; purpose += 1) {
      const rule = restricted.get(purpose);
      if (rule === restriction.notAllowed) continue;
      const consented = isAgreed && model.purposeConsents.has(purpose);
      const interested =
        isInterest &&
        withoutConsent.has(purpose) &&
        rule !== restriction.needsConsent &&
        model.purposeLegitimateInterests.has(purpose);
      if (consented || interested) purposes.push(purpose);
    }
    return {
      purposes,
      version: Number(model.version),
      updatedAt: model.lastUpdated.getTime(),
      isServiceSpecific: model.isServiceSpecific,
    };
  } catch {
    // Whatever the decoder stumbles over: nobody can say that it was agreed to.
    return null;
  }
}

/** The sections of a GPP string; null when its header cannot be read. */
export function decodeGpp(text: string, vendorId: number): ReadSection[] | null {
  const [header = '', ...parts] = text.split('~');
  if (!/^[\w-]{3,}$/.test(header) || !hasSaneSections(header)) return null;
  try {
    const model = new GppModel(text);
    // The decoder's own words for it: the ids in the order of the parts.
    const { SectionIds: ids } = model.getHeader() as { SectionIds: number[] };
    if (ids.length === 0 || ids.length !== parts.length) return null;
    return ids.map((id, n) => readSection(model, id, parts[n] ?? '', vendorId));
  } catch {
    return null;
  }
}

function readSection(model: GppModel, id: number, text: string, vendorId: number): ReadSection {
  if (id === 6) return { id, usPrivacy: text };
  if (id === 2) {
    const consent = decodeTcf(text, vendorId);
    return consent === null ? { id } : { id, consent };
  }
  if (id === 5 && !hasSaneVendors(text.split('.')[0] ?? '', vendorsAt.canada)) return { id };
  try {
    const name = Sections.SECTION_ID_NAME_MAP.get(id);
    // Fields by name; which there are is the section's business.
    const fields = (name === undefined ? null : model.getSection(name)) as Fields | null;
    if (fields === null) return { id };
    return id === 5 ? { id, consent: readCanada(fields, vendorId) } : { id, ...readState(fields) };
  } catch {
    // A section that cannot be read may hold an objection.
    return { id, saleOptOut: true };
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** 1 says no to it; 1 for a known child says that nobody agreed for them. */
function readState(fields: Fields): Pick<ReadSection, 'saleOptOut' | 'gpc' | 'child'> {
  return {
    saleOptOut: [
      fields['SaleOptOut'],
      fields['SharingOptOut'],
      fields['TargetedAdvertisingOptOut'],
    ].includes(1),
    gpc: fields['Gpc'] === true,
    child: [fields['KnownChildSensitiveDataConsents']].flat().includes(1),
  };
}

/** Canada knows express and implied consent; either will do. */
function readCanada(fields: Fields, vendorId: number): ReadConsent {
  const list = (name: string): unknown[] => [fields[name] ?? []].flat();
  const isNamed =
    vendorId === 0 ||
    list('VendorExpressConsent').includes(vendorId) ||
    list('VendorImpliedConsent').includes(vendorId);
  const implied = list('PurposesImpliedConsent');
  const updated = fields['LastUpdated'];
  return {
    purposes: isNamed
      ? list('PurposesExpressConsent').flatMap((one, n) =>
          one === true || implied[n] === true ? [n + 1] : [],
        )
      : [],
    version: 2,
    updatedAt: updated instanceof Date ? updated.getTime() : Number.NaN,
    isServiceSpecific: true,
  };
}
