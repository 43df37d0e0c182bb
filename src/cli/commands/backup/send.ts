import { noteSending } from '../../../backup/notes'
import { isBucket, openBucket } from '../../../backup/remote/open-bucket'
import { type Sent, sendBackups } from '../../../backup/remote/send-backups'
import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import { type CliCall, type Command, json } from '../../command'
import { reportOf } from '../../failed'
import { createProgress } from '../../progress'

export const backupSend: Command = {
  name: 'backup send',
  summary: 'Sends missing backups to the --backup-to bucket, and removes old ones there.',
  operands: [],
  options: [json],
  examples: ['kiroku backup send', 'kiroku backup send --backup-to s3://backups/kiroku --json'],
  run: async (call) => {
    const address = call.get(settings.backupTo)
    if (!isBucket(address))
      throw new Failure('usage', '--backup-to must be s3://BUCKET or s3://BUCKET/PREFIX')
    const report = await send(call, address)
    await call.print(call.get(json) ? JSON.stringify(report) : told(address, report))
  },
}

/** Also notes the outcome. */
export async function send(call: CliCall, address: string): Promise<Sent> {
  const data = call.get(settings.data)
  const onlyEncrypted = call.get(settings.backupPassphrase) !== undefined
  const progress = createProgress()
  try {
    const bucket = await openBucket(address, call)
    const sent = await sendBackups(
      data,
      bucket,
      { rule: call.get(settings.backupKeep), onlyEncrypted },
      progress.show,
    )
    noteSending(data, undefined)
    return sent
  } catch (cause) {
    noteSending(data, { at: call.now(), why: `not sent: ${reportOf(cause).line}` })
    throw cause
  } finally {
    progress.end()
  }
}

export const told = (address: string, { sent, removed }: Sent): string =>
  [
    ...sent.map((name) => `sent  ${name}`),
    ...removed.map((name) => `removed  ${name}`),
    `${address} is up to date`,
  ].join('\n')
