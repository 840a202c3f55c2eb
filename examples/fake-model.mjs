// A stand-in for a language model: streams an answer word by word, slowly enough that an ad can
// overtake it.
const answers = [
  [
    /tent|camp|hik/i,
    'For two people look for a tent of about two kilograms with a full fly and two doors. Pitch it once at home before the trip.',
  ],
  [
    /database|postgres|sql/i,
    'A managed PostgreSQL is a sound start: you get backups and upgrades, and can move later because nothing in it is special.',
  ],
  [
    /flight|travel|trip|hotel/i,
    'Book the long leg first and keep the days around it free. Midweek departures are often cheaper than weekends.',
  ],
  [
    /run|fitness|gym|train/i,
    'Three short sessions a week beat one long one. Add ten percent at most from week to week.',
  ],
];

export async function* fakeModel(question, { wordDelayMs = 30 } = {}) {
  const [, answer] = answers.find(([topic]) => topic.test(question)) ?? [
    null,
    'Tell me a little more about what you need it for, and I will narrow it down to two or three choices.',
  ];
  for (const word of answer.split(' ')) {
    await new Promise((resolve) => setTimeout(resolve, wordDelayMs));
    yield `${word} `;
  }
}
