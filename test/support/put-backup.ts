import { s3Destination } from '../../src/backup/remote/s3-destination'
import { realWorld } from '../../src/backup/remote/s3-settings'

// A process of its own, which tests can kill: puts a file into a bucket in parts of so many bytes, gets it back if there
// is a fifth argument, and prints the most memory it had, in KiB.
const [settings = '', name = '', file = '', partBytes = '', back] = process.argv.slice(2)
const destination = s3Destination(JSON.parse(settings), { ...realWorld, partBytes: Number(partBytes) })
await destination.put(name, file)
if (back !== undefined) await destination.get(name, back)
console.log(/VmHWM:\s+(\d+)/.exec(await Bun.file('/proc/self/status').text())?.[1])
