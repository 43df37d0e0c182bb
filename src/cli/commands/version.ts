import { commit, version } from '../../version'
import { type Command, json } from '../command'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the version and the commit it was built from.',
  operands: [],
  options: [json],
  examples: ['kiroku version', 'kiroku version --json'],
  run: async ({ get, print }) => {
    const about = {
      version,
      commit: commit ?? null,
      bun: Bun.version,
      platform: `${process.platform}-${process.arch}`,
    }
    if (get(json)) return await print(JSON.stringify(about, null, 2))
    await print(`kiroku ${version}${commit === undefined ? '' : ` (${commit})`}`)
  },
}
