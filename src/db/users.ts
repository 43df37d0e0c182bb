import { readFileSync } from 'node:fs'

/** `name (uid 1000)`; users of a directory service have no name here. */
export function nameOfUser(uid: number): string {
  const name = passwd().find(([, , id]) => id === String(uid))?.[0]
  return name === undefined ? `uid ${uid}` : `${name} (uid ${uid})`
}

function passwd(): readonly (readonly string[])[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  } catch {
    return []
  }
}
