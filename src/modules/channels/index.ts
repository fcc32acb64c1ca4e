export { BRANCH_PROBLEMS, type BranchProblem, BranchChannelsService } from './branch-channels/branch-channels.service';
export { type Channel, type ChannelWithUrl, type CurrentBuild, type DescribedChannel } from './channel';
export { ChannelViews } from './channel-views';
export { ChannelsService } from './channels.service';
export { CHANNELS_FILES, ChannelsErasure } from './channels.account-data';
export { toChannelResponse } from './channels.mapper';
export { ChannelsModule } from './channels.module';
