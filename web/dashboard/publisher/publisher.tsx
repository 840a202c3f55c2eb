export function PublisherSection() { return null; }
