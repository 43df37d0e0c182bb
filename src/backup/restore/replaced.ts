import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The instances that restores replaced, each a whole data directory; newest first. */
export const replacedInstances = (data: string) =>
  readdirSync(data)
    .filter((name) => /^before-restore-\d{8}T\d{6}Z$/.test(name))
    .toSorted()
    .toReversed()
    .map((name) => ({ path: join(data, name), bytes: bytesIn(join(data, name)) }))

const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
