/** The section of a version in the changelog, without its heading. Throws if there is none. */
export function releaseNotes(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.split(/\s/)[0] === version)
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${version}`)
  return `${section.slice(section.indexOf('\n')).trim()}\n`
}
