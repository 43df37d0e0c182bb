export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Formats a value for a message; lists and objects, which may be deep, by type only. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]'
  return isObject(value) ? '{…}' : String(JSON.stringify(value))
}
