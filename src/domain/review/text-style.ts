// How an ad is written: no shouting, no drumming. Short capitals (CRM, NASA) are words, not shouts.
import type { Finding } from './finding.js';

const shoutedLetters = 15;

export function findBadStyle(field: string, text: string): Finding[] {
  const findings: Finding[] = [];
  const report = (rule: string, level: Finding['level'], message: string): void =>
    void findings.push({ rule, level, field, message });
  const letters = text.match(/\p{Lu}|\p{Ll}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu) ?? [];
  if (letters.length >= shoutedLetters && capitals.length > letters.length * 0.7)
    report('shouting', 'block', 'Written in capitals');
  else if ((text.match(/(?<!\p{L})\p{Lu}{5,}(?!\p{L})/gu) ?? []).length >= 2)
    report('shouting', 'flag', 'Several words in capitals');
  if (/[!?]{3,}|[!?](?:\s*[!?]){2,}/.test(text))
    report('repeated_punctuation', 'block', 'Repeated exclamation or question marks');
  if (/([*~#=_$-])\1{3,}/.test(text)) report('repeated_symbols', 'flag', 'Repeated symbols');
  if (/(\p{L})\1{4,}/u.test(text)) report('stretched_word', 'flag', 'A letter repeated many times');
  if ((text.match(/\p{Extended_Pictographic}/gu) ?? []).length > 3)
    report('many_symbols', 'flag', 'More than three pictures in the text');
  if (/(?:\+?\d[\s().-]?){9,}\d/.test(text))
    report('phone_number', 'flag', 'A phone number in the text');
  return findings;
}
