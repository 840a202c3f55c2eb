export {
  SIGNATURE_HEADER,
  signWebhook,
  verifyWebhook,
  type WebhookCheck,
  type WebhookVerdict,
} from './webhooks/verify-webhook.js';
