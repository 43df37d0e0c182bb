import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { splitLocation } from '../location'

/** An https URL without a password, or the absolute path of an existing file or folder; undefined for anything else. */
export function givenLocation(text: string): string | undefined {
  const { place, fragment } = splitLocation(text)
  const rest = fragment === undefined ? '' : `#${fragment}`
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(place)) {
    const path = resolve(place)
    return place !== '' && existsSync(path) ? path + rest : undefined
  }
  const url = URL.parse(place)
  const isFine = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isFine ? place + rest : undefined
}
