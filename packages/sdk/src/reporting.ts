export * from './generated/reporting.js';
