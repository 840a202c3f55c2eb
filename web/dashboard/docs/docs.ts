import { addCopyButtons } from './copy-buttons.js';
import { addSearch } from './search.js';
import { addShell } from './shell.js';
import { addTrials } from './try-it.js';

// What the pages of the documentation can do beyond being read.

addShell();
addSearch();
addCopyButtons(document);
void addTrials();
