import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Product, ShopAnswer } from '../../../src/surfaces/shop-search/schema.js';
import { ApiError, call } from '../core/api.js';
import { useApp } from '../core/boot.js';
import { price } from '../core/format.js';
import { rich, t } from '../core/language.js';
import { ownImage } from '../ui/ads/ad-preview.js';
import { Check, Choice, TextField } from '../ui/forms/fields.js';
import { Card, Code } from '../ui/parts.js';
import { Empty, Loading, Problem } from '../ui/states.js';
import { apiKey, curl } from '../ui/curl.js';

const list = (text: string): string[] | undefined => {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts;
};

export function ProductPanel(): JSX.Element {
  const { urls } = useApp();
  const [form, setForm] = useState<ProductForm>({
    query: 'waterproof hiking boots',
    min: '',
    max: '',
    brands: '',
    colors: '',
    gender: '',
    sale: false,
  });
  const [answer, setAnswer] = useState<ShopAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<ProductForm>): void =>
    setForm((before) => ({ ...before, ...change }));
  const body = searchOf(form);
  const search = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      setAnswer(await call<ShopAnswer>('/playground/shop', { method: 'POST', body }));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('The search failed.'));
    }
    setBusy(false);
  };
  return (
    <div class="stack">
      <Card title={t('Find a product')}>
        <form class="form" onSubmit={(event) => void search(event)}>
          <ProductFields form={form} set={set} />
          <div class="row">
            <Check
              label={t('On sale only')}
              checked={form.sale}
              onChange={(sale) => set({ sale })}
            />
            <button class="button primary" disabled={busy}>
              {t('Search products')}
            </button>
          </div>
        </form>
      </Card>
      {problem !== null && <Problem message={problem} />}
      {busy && answer === null && <Loading />}
      {answer !== null && <ProductsCard answer={answer} />}
      <Code label={t('The same call')} text={curl(`${urls.index}/shop/search`, body, apiKey)} />
    </div>
  );
}

function searchOf(form: ProductForm): Record<string, unknown> {
  const body = {
    query: form.query,
    max_results: 12,
    ...(form.min === '' ? {} : { price_min: Number(form.min) }),
    ...(form.max === '' ? {} : { price_max: Number(form.max) }),
    ...(list(form.brands) === undefined ? {} : { brands: list(form.brands) }),
    ...(list(form.colors) === undefined ? {} : { colors: list(form.colors) }),
    ...(form.gender === '' ? {} : { gender: form.gender }),
    ...(form.sale ? { on_sale_only: true } : {}),
  };
  return body;
}

function ProductFields({
  form,
  set,
}: {
  form: ProductForm;
  set: (change: Partial<ProductForm>) => void;
}): JSX.Element {
  return (
    <div class="form-row products-form">
      <TextField
        label={t('What is wanted')}
        value={form.query}
        onInput={(query) => set({ query })}
        required
        maxLength={1000}
      />
      <TextField
        label={t('Lowest price')}
        value={form.min}
        onInput={(min) => set({ min })}
        type="number"
        min="0"
      />
      <TextField
        label={t('Highest price')}
        value={form.max}
        onInput={(max) => set({ max })}
        type="number"
        min="0"
      />
      <TextField
        label={t('Brands')}
        value={form.brands}
        onInput={(brands) => set({ brands })}
        placeholder={t('comma separated')}
      />
      <TextField
        label={t('Colours')}
        value={form.colors}
        onInput={(colors) => set({ colors })}
        placeholder={t('black, blue')}
      />
      <Choice
        label={t('For')}
        value={form.gender}
        options={[
          ['', t('Anyone')],
          ['women', t('Women')],
          ['men', t('Men')],
          ['unisex', t('Unisex')],
        ]}
        onChange={(gender) => set({ gender })}
      />
    </div>
  );
}

function ProductsCard({ answer }: { answer: ShopAnswer }): JSX.Element {
  return (
    <Card title={`${answer.count} ${answer.count === 1 ? t('product') : t('products')}`}>
      <p class="quiet">{answer.reasoning}</p>
      {answer.products.length === 0 ? (
        <Empty title={t('Nothing in stock fits.')}>
          <p>{t('Loosen a filter or rephrase your search.')}</p>
        </Empty>
      ) : (
        <div class="products">
          {answer.products.map((product) => (
            <ProductCard key={product.product_id} product={product} />
          ))}
        </div>
      )}
    </Card>
  );
}

function ProductCard({ product }: { product: Product }): JSX.Element {
  const image = ownImage(product.image_url);
  return (
    <article class="product">
      {image === null ? (
        <div class="no-image" aria-hidden="true">
          {product.name[0]}
        </div>
      ) : (
        <img src={image} alt="" loading="lazy" />
      )}
      <div>
        <h3>{product.name}</h3>
        <p class="price">
          {price(product.price, product.currency)}
          {product.on_sale && product.regular_price !== null && (
            <s>{price(product.regular_price, product.currency)}</s>
          )}
        </p>
        <small>
          {[product.brand, product.merchant].filter(Boolean).join(' · ')}
          {product.checkout !== null && ` ${t('· agent checkout')}`}
        </small>
        <a href={product.click_url} target="_blank" rel="sponsored noopener">
          {rich('Buy at {merchant}', { merchant: product.merchant })}
        </a>
      </div>
    </article>
  );
}

type ProductForm = Record<'query' | 'min' | 'max' | 'brands' | 'colors' | 'gender', string> & {
  sale: boolean;
};
