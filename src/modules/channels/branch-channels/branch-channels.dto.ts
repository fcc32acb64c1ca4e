import { ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdField, TextField } from '#infra/http/dto/fields';

@ApiSchema({ description: 'The branch whose channel is closed.' })
export class CloseBranchRequest {
  @TextField({ max: 255, example: 'feature/login', description: 'The branch, as the uploads named it.' })
  branch: string;
}

@ApiSchema({ description: 'The channel that was closed.' })
export class ClosedBranchResponse {
  @BooleanField({ example: true, description: 'False when the branch has no channel: nothing was changed.' })
  closed: boolean;

  @IdField({ of: 'channel', nullable: true, description: 'The channel that was closed. `null` when there was none.' })
  channel_id: string | null;
}
