// Loaded before every test file. Passwords are hashed with few rounds. Property tests draw the same
// cases each run, so that a red run means a change; SIDELIGHT_SEED=random explores.
import fc from 'fast-check';
import { usePasswordRounds } from '../build/src/platform/auth/password.js';

if (process.env.SIDELIGHT_SEED !== 'random')
  fc.configureGlobal({
    ...fc.readConfigureGlobal(),
    seed: Number(process.env.SIDELIGHT_SEED ?? 20_261_115),
  });
usePasswordRounds(1024);
