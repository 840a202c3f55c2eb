export {
  SIGNATURE_HEADER,
  signWebhook,
  verifyWebhook,
  type WebhookCheck,
  type WebhookVerdict,
} from './verify-webhook.js';
