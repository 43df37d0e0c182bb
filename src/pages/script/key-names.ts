/** What a key is called in `data-keys`, by its place on the keyboard: `code`, as `key` differs while one types kana. */
export function keyOf({ code, shiftKey }: { readonly code: string; readonly shiftKey: boolean }): string {
  if (code === 'Slash') return shiftKey ? '?' : '/'
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? []
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase()
  if (shiftKey) return ''
  const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(code) ?? []
  return digit ?? others[code] ?? ''
}

const others: Readonly<Record<string, string>> = {
  BracketLeft: '[',
  BracketRight: ']',
  Enter: 'Enter',
  Escape: 'Escape',
}

/** In milliseconds, between the keys of a sequence. */
const longestPause = 1500

const firstKeys = ['g', 's']

/** Joins `g` and `s` with the key after them: `g t`. '' while there is more to come. */
export function keySequences(): (key: string, at: number) => string {
  let first = ''
  let since = 0
  return (key, at) => {
    const isSecond = first !== '' && at - since <= longestPause
    const whole = isSecond ? `${first} ${key}` : key
    first = !isSecond && firstKeys.includes(key) ? key : ''
    since = at
    return first === '' ? whole : ''
  }
}
