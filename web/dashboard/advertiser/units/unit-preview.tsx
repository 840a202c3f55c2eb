import type { JSX } from 'preact';
import type { AdUnits } from '../../../../src/surfaces/dashboards/schema.js';
import { AdPreview } from '../../ui/ads/ad-preview.js';
import { servedButton } from '../../ui/ads/served-button.js';
import { hostOf } from '../host-of.js';

export type Unit = AdUnits['ad_units'][number];

export function UnitPreview({
  unit,
}: {
  unit: Pick<
    Unit,
    'headline' | 'static_ad_text' | 'static_cta' | 'brand_name' | 'landing_page' | 'image_url'
  >;
}): JSX.Element {
  const brand =
    unit.brand_name == null || unit.brand_name === ''
      ? hostOf(unit.landing_page ?? '')
      : unit.brand_name;
  return (
    <AdPreview
      ad={{
        title: unit.headline == null || unit.headline === '' ? brand : unit.headline,
        adText: unit.static_ad_text ?? '',
        cta: servedButton(unit.static_cta),
        brandName: brand,
        image: unit.image_url,
      }}
    />
  );
}
