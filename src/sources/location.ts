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
