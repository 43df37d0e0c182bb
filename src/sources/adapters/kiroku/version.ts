/** Numbers separated by dots, such as `2026.11.20`. */
export const versionPattern = '^[0-9]{1,9}(\\.[0-9]{1,9}){0,3}$'

export function isLower(version: string, than: string): boolean {
  const [own, other] = [version.split('.').map(Number), than.split('.').map(Number)]
  const at = [0, 1, 2, 3].find((place) => (own[place] ?? 0) !== (other[place] ?? 0)) ?? 0
  return (own[at] ?? 0) < (other[at] ?? 0)
}
