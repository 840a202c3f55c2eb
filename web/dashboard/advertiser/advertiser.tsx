export function AdvertiserSection() { return null; }
