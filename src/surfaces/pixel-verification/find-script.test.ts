import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findScript, loadsScript } from './find-script.js';

const wanted = {
  pixelId: '0199a0de-0000-7000-8000-000000000001',
  hosts: ['ads.example', 'localhost:8080'],
};
const has = (html: string, page = 'https://shop.example/'): boolean =>
  findScript(html, page, wanted).hasScript;

test('finds the script by its address, however the tag is written', () => {
  assert.ok(has('<script src="https://ads.example/pixel.js"></script>'));
  assert.ok(has("<head><SCRIPT async defer SRC = 'https://ads.example/gr-pix.js?v=2' ></SCRIPT>"));
  assert.ok(has('<script data-x="1" src=//ads.example/pixel.js>'));
  assert.ok(has('<script src="/pixel.js"></script>', 'http://localhost:8080/page'));
});

test('finds an inline loader', () => {
  assert.ok(
    has(
      `<script>!function(d){var s=d.createElement('script');s.src="https:\\/\\/ads.example\\/pixel.js"}(document)</script>`,
    ),
  );
});

test('takes a first-party proxy only when the page names this pixel', () => {
  assert.ok(!has('<script src="/js/pixel.js"></script>'));
  assert.ok(has(`<script src="/js/pixel.js" data-pixel-id="${wanted.pixelId}"></script>`));
});

test('is not fooled by comments, texts, links, other scripts and look-alike hosts', () => {
  assert.ok(!has('<!-- <script src="https://ads.example/pixel.js"></script> -->'));
  assert.ok(
    !has('<p>https://ads.example/pixel.js</p><a href="https://ads.example/pixel.js">x</a>'),
  );
  assert.ok(
    !has(
      '<script src="https://ads.example/other.js"></script><script src="https://ads.example.evil.example/pixel.js"></script>',
    ),
  );
  assert.ok(!has('<script data-src="https://ads.example/pixel.js"></script>'));
  assert.ok(
    !has('<script>/* <!-- */</script><!-- <script src="https://ads.example/pixel.js"></script>'),
  );
});

test('names the tag manager containers of a page, from script and noscript', () => {
  const html = `<script>(function(w,d,s,l,i){j.src='https://www.googletagmanager.com/gtm.js?id='+i})(window,document,'script','dataLayer','GTM-ABC123');</script>
    <noscript><iframe src="https://www.googletagmanager.com/ns.html?id=GTM-XYZ9"></iframe></noscript>`;
  assert.deepEqual(findScript(html, 'https://shop.example/', wanted), {
    hasScript: false,
    containers: ['GTM-ABC123', 'GTM-XYZ9'],
  });
  assert.ok(
    loadsScript(
      String.raw`{"vtp_html":"\u003Cscript src=\"https:\/\/ads.example\/pixel.js\"\u003E"}`,
      wanted,
    ),
  );
  assert.ok(!loadsScript('"https://else.example/pixel.js"', wanted));
});

test('a hostile page is read in little time', () => {
  for (const piece of ['<script', '<!--', '<script src="', 'GTM-A ', '<script>//a/', 'https://'])
    assert.equal(
      findScript(piece.repeat(200_000), 'https://shop.example/', wanted).hasScript,
      false,
    );
});
