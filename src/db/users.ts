import { readFileSync } from 'node:fs'

/** `name (uid 1000)`; the names of directory service users are not found. */
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
