/** Ed25519 public keys of the project's own packs, raw, in Base64: the current one and the spare one. */
export const projectKeys = [
  'j8kwgW0wZu+kfD98D+a6g4k9hrF8eWmmjJqOaRbJhKA=',
  'NjhtzUx5E5FRXssi9IGaxyw6pUExV9fLBWD5bcBuVk0=',
] as const
