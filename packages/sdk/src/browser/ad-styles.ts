/**
 * Fixed line heights and clamped text make every ad as tall as its reserved space, so nothing below
 * it moves.
 */
export const adStyles = `
:host{display:block;min-height:var(--sidelight-min-height,150px);contain:layout style;color:var(--sidelight-color,inherit);font:var(--sidelight-font,inherit)}
*{box-sizing:border-box}
[hidden]{display:none!important}
.ad{padding:11px 13px;border:1px solid var(--sidelight-border,rgba(128,128,128,.3));border-radius:var(--sidelight-radius,12px);background:var(--sidelight-background,transparent);font-size:14px;line-height:20px}
.head{display:flex;align-items:center;gap:6px;height:20px;font-size:12px;color:var(--sidelight-muted,inherit)}
.label{flex:none;padding:0 5px;border:1px solid currentColor;border-radius:4px;font-size:11px;line-height:16px}
.brand,.question{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.about{flex:none;margin-left:auto;padding:0 4px;border:0;background:transparent;color:inherit;font:inherit;font-size:14px;line-height:20px;cursor:pointer}
.choices{display:grid;gap:8px;margin-top:8px;font-size:13px}
.choices p{margin:0}
.choices .reasons{margin:0}
.icon{flex:none;width:16px;height:16px;border-radius:3px}
.main{display:flex;gap:12px;height:64px;margin-top:6px;color:inherit;text-decoration:none}
.picture{flex:none;width:64px;height:64px;border-radius:8px;object-fit:cover}
.gone{visibility:hidden}
.words{min-width:0;flex:1}
.title{display:block;font-weight:600;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.text{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.main:hover .title{text-decoration:underline}
.row{display:flex;align-items:center;gap:8px;height:28px;margin-top:8px}
.cta,.row button,form button,.reasons button{flex:none;padding:0 10px;height:28px;border:1px solid var(--sidelight-border,rgba(128,128,128,.45));border-radius:8px;background:transparent;color:inherit;font:inherit;font-size:13px;line-height:26px;text-decoration:none;cursor:pointer}
.cta{background:var(--sidelight-accent,transparent);color:var(--sidelight-accent-color,inherit);font-weight:600;max-width:60%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.feedback{display:flex;align-items:center;gap:6px;min-width:0;margin-left:auto;font-size:12px}
.row .feedback button{padding:0 7px}
.reasons{display:flex;flex-wrap:wrap;gap:6px;margin-top:8px}
form{display:grid;gap:8px;margin-top:10px}
form p{margin:0}
form label{display:grid;gap:2px;font-size:13px}
form label.check{display:flex;gap:6px;align-items:flex-start}
form input:not([type=checkbox]),form select{width:100%;height:32px;padding:0 8px;border:1px solid var(--sidelight-border,rgba(128,128,128,.45));border-radius:6px;background:transparent;color:inherit;font:inherit}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible{outline:2px solid var(--sidelight-focus,#2563eb);outline-offset:2px}
`;

/**
 * Adopts the styles as a constructed sheet, which every style-src allows; older browsers get an
 * element with the page's nonce.
 */
export function adoptStyles(root: ShadowRoot, css: string, nonce: string | undefined): void {
  const doc = root.ownerDocument;
  const Sheet = doc.defaultView?.CSSStyleSheet;
  if (Sheet !== undefined && 'adoptedStyleSheets' in root && 'replaceSync' in Sheet.prototype) {
    const sheet = new Sheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const style = doc.createElement('style');
  if (nonce !== undefined) style.nonce = nonce;
  style.textContent = css;
  root.append(style);
}
