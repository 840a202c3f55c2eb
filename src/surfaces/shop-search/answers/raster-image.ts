/** Whether the bytes begin like PNG, JPEG, GIF, WebP, AVIF or BMP. */
export function isRasterImage(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  if (
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('GIF87a') ||
    text.startsWith('GIF89a')
  )
    return true;
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return true;
  if (text.slice(4, 8) === 'ftyp' && /avif|avis/.test(text.slice(8, 32))) return true;
  return (
    text.startsWith('BM') &&
    bytes.length > 26 &&
    Buffer.from(bytes.subarray(2, 6)).readUInt32LE(0) === bytes.length
  );
}
