/** Id, in the namespace `site`, of the channel of the first broadcast, whose station is unknown. */
export const firstBroadcast = 'broadcast'

/** SQL: its id. There is nothing to choose about it, as nobody knows which station it is. */
export const unknownStation = `(
  select local_id from external_ids where kind = 'channel' and ns = 'site' and external_id = '${firstBroadcast}')`

/**
 * SQL: whether a source lists a work's programs on a channel. The original broadcast, whose station is unknown, counts as
 * listed if a source lists any station that is not a video service. Uses programs_work_all.
 */
export const isListed = (work: string, channel: string): string => `exists (
  select 1 from programs as listed join channels as station on station.id = listed.channel_id
  where listed.work_id = ${work} and listed.estimated = 0 and listed.hidden & 1 = 0 and (
    listed.channel_id = ${channel}
    or station.vod = 0 and listed.is_rebroadcast = 0 and ${channel} in ${unknownStation}))`
