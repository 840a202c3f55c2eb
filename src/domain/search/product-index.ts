import { Bm25f, zone } from './bm25f.js';
import { parseProductQuery } from './product-query.js';
import type { ProductDocument } from './product-document.js';
import { productTerms, titleTrail } from './product-terms.js';
import { planQuery } from './query-plan.js';
import { synonymTable } from './synonyms.js';
import { stemOf, TermDictionary } from './term-dictionary.js';
import { readTitle, titleVocabulary } from './title-signals.js';
import { TitleStore } from './title-store.js';

export const tuning = {
  k1: 3, title: 3, brand: 3, category: 1.5, color: 1, description: 0.4, merchant: 0.5, attributes: 0.8,
  bTitle: 0.65, bDesc: 0.7, lenTitle: 14, lenDesc: 90, lenAttr: 40, bAttr: 0.6, cover: 1, nounEnd: 0, adj: 0, depth: 200,
  syn: 0.8, textPenalty: 0.75, unwantedZones: 3, refusal: 0.3, together: 0.2, belongs: 0.7, verbatim: 0.05, start: 0, tcover: 0,
};
export class ProductIndex {
  dictionary = new TermDictionary();
  titles = new TitleStore();
  engine: Bm25f;
  ids: string[] = [];
  syn = synonymTable(stemOf);
  vocab = titleVocabulary(this.dictionary);
  alive = new Uint8Array(1 << 15);
  constructor(t = tuning) {
    this.engine = new Bm25f({ saturation: t.k1, fields: [
      { weight: t.title, lengthNorm: t.bTitle, usualLength: t.lenTitle, zone: zone.name },
      { weight: t.brand, lengthNorm: 0, usualLength: 2, zone: zone.facts },
      { weight: t.category, lengthNorm: 0.3, usualLength: 8, zone: zone.category },
      { weight: t.color, lengthNorm: 0.3, usualLength: 2, zone: zone.facts },
      { weight: t.description, lengthNorm: t.bDesc, usualLength: t.lenDesc, zone: zone.text },
      { weight: t.merchant, lengthNorm: 0, usualLength: 2, zone: zone.facts },
      { weight: t.attributes, lengthNorm: t.bAttr, usualLength: t.lenAttr, zone: zone.facts },
    ] });
    this.engine.setOpenLimit(1 << 22);
  }
  add(p: ProductDocument) {
    const doc = this.ids.length;
    this.ids.push(p.product_id);
    this.alive[doc] = 1;
    const d = this.dictionary;
    this.engine.add(doc, [
      productTerms(d, p.title, { full: true }), p.brand ? productTerms(d, p.brand, { full: true }) : [], p.category ? productTerms(d, p.category, { full: true }) : [],
      p.color ? productTerms(d, p.color, { full: true }) : [], productTerms(d, p.description, { full: false }), productTerms(d, p.merchant, { full: true }),
      p.attributes ? productTerms(d, Object.values(p.attributes).join(' , '), { full: true }) : [],
    ], d.size + 0);
    this.titles.add(titleTrail(d, p.title));
  }
  search(query: string, limit: number, t = tuning): { id: string; score: number }[] {
    const lexicon = { dictionary: this.dictionary, engine: this.engine, titles: this.titles, docCount: this.ids.length, synonyms: this.syn, synonymFactor: t.syn };
    const plan = planQuery(parseProductQuery(query, (w) => this.dictionary.lookup(w) > 0), lexicon);
    const pen = new Set<number>();
    const eligible = this.alive.slice();
    for (const terms of plan.unwanted) {
      const hits = new Map<number, number>();
      for (const term of terms) this.engine.visit(term, (doc, z) => { if (z & t.unwantedZones) hits.set(doc, (hits.get(doc) ?? 0) + 1); });
      for (const [doc, n] of hits) if (n === terms.length) eligible[doc] = 0;
      if (t.textPenalty < 1) { hits.clear(); for (const term of terms) this.engine.visit(term, (doc, z) => { if (z & 4) hits.set(doc, (hits.get(doc) ?? 0) + 1); }); for (const [doc, n] of hits) if (n === terms.length) pen.add(doc); }
    }
    const s = this.engine.score(plan.groups, eligible, this.ids.length);
    const total = plan.groups.reduce((a, g) => a + g.rarity, 0) || 1;
    const out: { doc: number; score: number }[] = [];
    for (let i = 0; i < s.count; i++) {
      const doc = s.docs[i]!;
      let have = 0;
      for (let g = 0; g < plan.groups.length; g++) if (s.matched[doc]! & (1 << g)) have += plan.groups[g]!.rarity;
      out.push({ doc, score: (pen.has(doc) ? t.textPenalty : 1) * s.scores[doc]! * Math.pow(have / total, t.cover) });
    }
    for (const mark of plan.refusals) this.engine.visit(mark, (doc) => { const o = out.find((x) => x.doc === doc); if (o) o.score *= 1 + t.refusal; });
    out.sort((a, b) => b.score - a.score);
    const top = out.slice(0, t.depth);
    for (const o of top) {
      const sig = readTitle(this.titles.trail(o.doc), plan.groups, this.dictionary, this.vocab);
      o.score *= (1 + t.together * sig.together) * (1 + t.verbatim * sig.verbatim) * (sig.belongsTo ? t.belongs : 1) * (1 + t.start * (1 - sig.start));
    }
    top.sort((a, b) => b.score - a.score);
    if (top.length) return top.slice(0, limit).map((o) => ({ id: this.ids[o.doc]!, score: o.score }));
    return out.slice(0, limit).map((o) => ({ id: this.ids[o.doc]!, score: o.score }));
  }
}
