import { s3Destination } from '../../src/backup/remote/s3-destination'
import { realWorld } from '../../src/backup/remote/s3-settings'

// A separate process, which tests can kill: uploads a file to a bucket in parts of `partBytes`, downloads it if there is
// a fifth argument, and prints its peak memory in KiB.
const [settings = '', name = '', file = '', partBytes = '', back] = process.argv.slice(2)
const destination = s3Destination(JSON.parse(settings), { ...realWorld, partBytes: Number(partBytes) })
await destination.put(name, file)
if (back !== undefined) await destination.get(name, back)
console.log(/VmHWM:\s+(\d+)/.exec(await Bun.file('/proc/self/status').text())?.[1])
