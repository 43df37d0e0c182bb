import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

export interface LocationParts {
  /** A URL, or the path of a folder or file. */
  readonly place: string
  /** The part after `#`: for the adapter, never sent and never part of a path. */
  readonly fragment: string | undefined
}

export function splitLocation(location: string): LocationParts {
  const at = location.indexOf('#')
  if (at === -1) return { place: location, fragment: undefined }
  return { place: location.slice(0, at), fragment: location.slice(at + 1) }
}

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
