// Loaded before every test file. Property tests draw the same cases each run, so that a red run
// means a change; SIDELIGHT_SEED=random explores.
import fc from 'fast-check';

if (process.env.SIDELIGHT_SEED !== 'random')
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    seed: Number(process.env.SIDELIGHT_SEED ?? 20_261_115),
  });
