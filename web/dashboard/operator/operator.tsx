export function OperatorSection() { return null; }
