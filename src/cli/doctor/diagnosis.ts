import type { Failure } from '../../lib/failure'

export interface Diagnosis {
  readonly about: string
  readonly level: 'ok' | 'note' | 'problem'
  readonly message: string
  readonly remedy?: string
  /** For a problem: the failure that determines the exit code. */
  readonly kind?: Failure['kind']
  /** The file cannot be read as a database; the page check reports this as well. */
  readonly isUnreadable?: boolean
}

export const ok = (about: string, message: string): Diagnosis => ({ about, level: 'ok', message })

export const note = (about: string, message: string, remedy?: string): Diagnosis => {
  return { about, level: 'note', message, ...(remedy !== undefined && { remedy }) }
}

export function problem(about: string, kind: Failure['kind'], message: string, remedy?: string): Diagnosis {
  return { about, level: 'problem', message, kind, ...(remedy !== undefined && { remedy }) }
}
