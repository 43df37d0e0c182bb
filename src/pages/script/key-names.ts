/** A key's name in `data-keys`, by its position on the keyboard (`code`), because `key` differs while typing kana. */
export function pressedKey({
  code,
  shiftKey,
}: {
  readonly code: string
  readonly shiftKey: boolean
}): string {
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

/** Milliseconds between the keys of a sequence. */
const longestPause = 1500

const firstKeys = ['g', 's']

/** Joins `g` or `s` with the next key: `g t`. '' while waiting for it. */
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
