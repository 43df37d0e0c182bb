/**
 * A key's name in `data-keys`: what is printed on it, as the list of keys shows it; where that is no ASCII, as while typing
 * kana or Cyrillic, by its position. Digits also by position, as French keyboards have them above other signs.
 */
export function pressedKey({
  key,
  code,
  shiftKey,
}: {
  readonly key: string
  readonly code: string
  readonly shiftKey: boolean
}): string {
  const isForeign = !/^[!-~]$/.test(key) || (code.startsWith('Digit') && !shiftKey)
  const name = isForeign && !known.test(key) ? placeOf(code, shiftKey) : key
  if (!known.test(name)) return ''
  if (name.length > 1) return name
  return shiftKey ? name.toUpperCase() : name.toLowerCase()
}

const known = /^([a-z0-9/?[\]]|Enter|Escape)$/i

/** What is printed there on an English keyboard. */
function placeOf(code: string, shiftKey: boolean): string {
  const places: Readonly<Record<string, string>> = {
    Slash: shiftKey ? '?' : '/',
    BracketLeft: '[',
    BracketRight: ']',
  }
  return places[code] ?? code.replace(/^(Key|Digit)/, '')
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
