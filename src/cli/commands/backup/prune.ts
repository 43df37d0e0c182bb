import { pruneBackups } from '../../../backup/prune'
import { settings } from '../../../config'
import { type Command, json } from '../../command'
import { openBackups } from './open-backups'

export const backupPrune: Command = {
  name: 'backup prune',
  summary: 'Removes the backups that --backup-keep does not keep, and old copies made before upgrades.',
  operands: [],
  options: [json],
  examples: ['kiroku backup prune', 'kiroku backup prune --backup-keep 14d,12m,5y'],
  run: async (call) => {
    const data = call.get(settings.data)
    const destination = await openBackups(call, call.get(settings.backupTo))
    const { removed, kept } = await pruneBackups(data, destination, call.get(settings.backupKeep))
    if (call.get(json)) return await call.print(JSON.stringify({ removed, kept }, null, 2))
    const lines = removed.map((name) => `removed  ${name}`)
    await call.print([...lines, `${kept} backup${kept === 1 ? ' is' : 's are'} kept`].join('\n'))
  },
}
