/** An advertiser's form, as campaigns store it and publishers get it. */
export interface LeadForm {
  title: string;
  description?: string;
  fields: {
    name: string;
    label: string;
    type: 'text' | 'email' | 'phone' | 'select' | 'checkbox';
    required: boolean;
    options?: string[];
  }[];
  submit_label?: string;
  privacy_policy_url?: string;
  success_message?: string;
}
