import { GVL, TCModel, TCString } from '@iabtechlabtcf/core';

/** A list of vendors in the framework's form; an encoder writes nothing without one. */
function vendorList(): GVL {
  const numbered = <T>(count: number, make: (id: number) => T): Record<string, T> =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [n + 1, make(n + 1)]));
  return new GVL({
    gvlSpecificationVersion: 3,
    vendorListVersion: 48,
    tcfPolicyVersion: 4,
    lastUpdated: '2024-03-01T00:00:00Z',
    purposes: numbered(11, (id) => ({ id, name: `p${id}`, description: '', illustrations: [] })),
    specialPurposes: {},
    features: {},
    specialFeatures: {},
    stacks: {},
    dataCategories: {},
    vendors: numbered(800, (id) => ({
      id,
      name: `v${id}`,
      purposes: [1, 3, 4],
      legIntPurposes: [2, 7, 10],
      flexiblePurposes: [2, 7, 10],
      specialPurposes: [],
      features: [],
      specialFeatures: [],
    })),
    // The encoder reads no more of it than this.
  } as unknown as ConstructorParameters<typeof GVL>[0]);
}

/** A TCF string of today as a consent banner would write it. */
export function tcfString(given: {
  purposes: readonly number[];
  vendors?: readonly number[];
  interests?: readonly number[];
  interested?: readonly number[];
  updated?: Date;
}): string {
  const model = new TCModel(vendorList());
  model.cmpId = 10;
  model.cmpVersion = 1;
  model.consentScreen = 1;
  model.isServiceSpecific = true;
  model.publisherCountryCode = 'DE';
  model.purposeConsents.set([...given.purposes]);
  model.vendorConsents.set([...(given.vendors ?? [])]);
  model.purposeLegitimateInterests.set([...(given.interests ?? [])]);
  model.vendorLegitimateInterests.set([...(given.interested ?? [])]);
  if (given.updated !== undefined) {
    model.created = given.updated;
    model.lastUpdated = given.updated;
  }
  return TCString.encode(model);
}
