# What is installed of the program, and the Debian package of it: cmake --install build, (cd build && cpack -G DEB).
# They take what has been built, and build nothing, least of all the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS zug RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET zug-codegen)
  install(TARGETS zug-codegen RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}) # where the program looks for it
endif()
install(TARGETS zug-http LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/zug)
if(TARGET zug-png)
  install(TARGETS zug-png LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/zug)
endif()
install(DIRECTORY rules/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zug/rules)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# As Debian has it: compressed, and always the same bytes.
set(changes ${CMAKE_BINARY_DIR}/generated/changelog.gz)
install(CODE "file(ARCHIVE_CREATE OUTPUT ${changes} PATHS ${CMAKE_SOURCE_DIR}/src/changelog FORMAT raw COMPRESSION GZip)")
install(FILES ${changes} DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md grammar/reference.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What the program says of its command line: scripts for shells, and the manual page.
function(zug_install_help topic folder name)
  set(file ${CMAKE_BINARY_DIR}/generated/help/${name})
  install(CODE "execute_process(COMMAND $<TARGET_FILE:zug> help ${topic} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${file} DESTINATION ${folder})
endfunction()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/help)
zug_install_help(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions zug)
zug_install_help(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _zug)
zug_install_help(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d zug.fish)
zug_install_help(manual ${CMAKE_INSTALL_MANDIR}/man6 zug.6)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME zug)
set(CPACK_PACKAGE_CONTACT "Zug <zug@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "general game player")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Plays, searches and solves any game that a rule file describes: boards, moves,\n chance and ends in a page of rules. A hundred games come with it.")
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # needs dpkg-dev
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core) # for texts in PNGs
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
