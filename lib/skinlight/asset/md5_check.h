// Indices of an MD5 mesh, which Assimp trusts.
#pragma once

#include <string_view>

namespace skinlight::assimp {

// Throws InputError naming "mesh 0 weight 7" and the like when a vertex, triangle or weight has an index
// beyond what the file announces. Whatever else is wrong with the text is left to the importer.
void require_md5_indices(std::string_view text);

}  // namespace skinlight::assimp
